import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageSession } from '@portico/contracts/page-data'
import { formatTime } from '@portico/rules/format'
import { AnchorButton } from '@portico/ui/anchor-button'
import { EmailText } from '@portico/ui/email-text'
import { Fact, Facts } from '@portico/ui/facts'
import { Popover } from '@portico/ui/popover'
import { useSyncExternalStore } from 'react'
import { METHOD_LABELS } from '../method-labels.ts'
import styles from './signed-in.module.css'

/** The logged-in user, when and how they logged in, and the logout link. */
export function AccountMenu({ session }: { session: PageSession }) {
  const since = useLocalTime(session.signedInAt)
  return (
    <Popover
      look="icon"
      label={`Your account, ${session.email}`}
      button={<span className={styles.initial}>{session.email.slice(0, 1).toUpperCase()}</span>}
    >
      <div className={styles.panel}>
        <p className={styles.title}>
          <EmailText>{session.email}</EmailText>
        </p>
        <Facts>
          <Fact label="Organization">{session.organizationName}</Fact>
          <Fact label={session.impersonation === undefined ? 'Logged in' : 'Viewed'}>
            <time dateTime={new Date(session.signedInAt).toISOString()}>{since}</time>{' '}
            {session.impersonation === undefined
              ? METHOD_LABELS[session.method]
              : `by ${session.impersonation.operatorEmail}`}
          </Fact>
        </Facts>
        {session.impersonation === undefined && (
          <AnchorButton kind="secondary" wide href={`${ROUTER_BASE}/logout`}>
            Log out
          </AnchorButton>
        )}
      </div>
    </Popover>
  )
}

const never = () => () => undefined

/** A timestamp in the user's time zone, which the server cannot determine; it renders ISO format in UTC. */
function useLocalTime(at: number): string {
  return useSyncExternalStore(
    never,
    () => formatTime(at),
    () => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  )
}
