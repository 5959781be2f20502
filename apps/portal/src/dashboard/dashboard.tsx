import { ApiError } from '@portico/client/api-error'
import { readIdentity } from '@portico/contracts/identity'
import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData, PageSession } from '@portico/contracts/page-data'
import { loginPathBefore, pathAndQuery } from '@portico/rules/wallet-redirects'
import { useLoad } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { AnchorButton } from '@portico/ui/anchor-button'
import { EmailText } from '@portico/ui/email-text'
import { LinkButton } from '@portico/ui/link-button'
import { RowLink } from '@portico/ui/row-link'
import { Stack } from '@portico/ui/stack'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { useEnvironment } from '../environment.ts'
import facts from '../facts.module.css'
import { METHOD_WORDS } from '../method-words.ts'
import { SECURITY_PATH } from '../routes.ts'
import styles from './dashboard.module.css'
import { WalletSlot } from './wallet-slot.tsx'

/** The dashboard. The identity call verifies the rendered session; without a session the page leaves for the login page. */
export function Dashboard({ page, session }: { page: PageData; session: PageSession }) {
  const { client, jwt, replace, reportError } = useEnvironment()
  const loginUrl = loginPathBefore(pathAndQuery(page))
  // Another tab may log out at any time.
  useEffect(
    () =>
      jwt.watch((stored) => {
        if (!stored) replace(loginUrl)
      }),
    [jwt, replace, loginUrl],
  )
  const { failure, retry } = useLoad(async (signal) => {
    try {
      await client(readIdentity, { signal })
    } catch (error) {
      if (isUnauthenticated(error)) {
        replace(loginUrl)
        return
      }
      // A server that answers with an error is a defect; a missing connection is not.
      if (error instanceof ApiError && error.response !== undefined) reportError(error)
      throw error
    }
  }, reportError)
  return (
    <DashboardView
      session={session}
      since={useLocalTime(session.signedInAt)}
      wallet={<WalletSlot />}
      onRetry={failure === undefined ? undefined : retry}
    />
  )
}

export type DashboardViewProps = {
  session: PageSession
  /** The sign-in time, formatted for the user's locale. */
  since: string
  /** The wallet section. */
  wallet: ReactNode
  /** Set if the session could not be verified. */
  onRetry?: (() => void) | undefined
}

/** Who is signed in, since when and with which method, and the logout link. */
export function DashboardView({ session, since, wallet, onRetry }: DashboardViewProps) {
  return (
    <Stack gap="sections">
      <div className={styles.head}>
        <h1 tabIndex={-1}>You are signed in</h1>
        <AnchorButton kind="secondary" href={`${ROUTER_BASE}/logout`}>
          Log out
        </AnchorButton>
      </div>
      {onRetry && (
        <Alert tone="warn" title="We could not reach the server">
          <p>What you see may be out of date. Check your connection, then try again.</p>
          <p>
            <LinkButton onClick={onRetry}>Try again</LinkButton>
          </p>
        </Alert>
      )}
      <dl className={facts.facts}>
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

function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403)
}

const never = () => () => undefined

/** A timestamp in the user's locale and time zone, which the server cannot determine; it renders ISO format in UTC. */
function useLocalTime(at: number): string {
  return useSyncExternalStore(
    never,
    () => new Date(at).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' }),
    () => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  )
}
