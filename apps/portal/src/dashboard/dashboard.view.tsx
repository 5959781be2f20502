import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageSession } from '@portico/contracts/page-data'
import { Alert } from '@portico/ui/alert'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { EmailText } from '@portico/ui/email-text'
import { RowLink } from '@portico/ui/row-link'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import { METHOD_WORDS } from '../method-words.ts'
import { SECURITY_PATH } from '../routes.ts'
import type { Event, State } from './dashboard.flow.ts'
import styles from './dashboard.module.css'

export type DashboardViewProps = {
  state: State
  send: (event: Event) => void
  session: PageSession
  /** The sign-in time, formatted for the user's locale. */
  since: string
  /** The wallet section. */
  wallet?: ReactNode
}

/** Who is signed in, since when and with which method, and the logout link. */
export function DashboardView({ state, send, session, since, wallet }: DashboardViewProps) {
  return (
    <Stack gap="thought">
      <div className={styles.head}>
        <h1 tabIndex={-1}>You are signed in</h1>
        <AnchorButton kind="secondary" href={`${ROUTER_BASE}/logout`}>
          Log out
        </AnchorButton>
      </div>
      {state.step === 'unconfirmed' && (
        <Alert tone="warn" title="We could not reach the server">
          <p>What you see may be out of date. Check your connection, then try again.</p>
          <Button kind="quiet" onClick={() => send({ type: 'retried' })}>
            Try again
          </Button>
        </Alert>
      )}
      <dl className={styles.facts}>
        <div>
          <dt>Email</dt>
          <dd>
            <EmailText>{session.email}</EmailText>
          </dd>
        </div>
        <div>
          <dt>Signed in</dt>
          <dd>
            <time dateTime={new Date(session.signedInAt).toISOString()}>{since}</time>
            <br />
            {METHOD_WORDS[session.method]}
          </dd>
        </div>
        <div>
          <dt>Organization</dt>
          <dd>{session.organizationName}</dd>
        </div>
      </dl>
      {wallet}
      <RowLink
        href={SECURITY_PATH}
        title="Security"
        details="How you sign in, and where you are signed in."
      />
    </Stack>
  )
}
