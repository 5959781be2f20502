import type { StoredJwt } from '@portico/client/stored-jwt'
import { logout } from '@portico/contracts/identity'
import type { PageData } from '@portico/contracts/page-data'
import { type LoginEntry as Entry, loginEntry } from '@portico/rules/login-entry'
import { withFragment } from '@portico/rules/redirect-target'
import { useLoad } from '@portico/shell/use-call'
import { Waiting } from '@portico/shell/waiting'
import { type ReactNode, useEffect, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { Login } from '../login/login.tsx'
import { removeUserState } from '../remove-user-state.ts'

/** The entry to the login page (§4.4): shows the form, logs out first, or redirects a signed-in user. */
export function LoginEntry({ page, query }: { page: PageData; query: URLSearchParams }) {
  const { jwt } = useEnvironment()
  const [entry] = useState(() => entryOf(page, query, jwt))
  const login = <Login page={page} query={query} />
  switch (entry.kind) {
    case 'show':
      return login
    case 'logOutFirst':
      return <LogOutFirst>{login}</LogOutFirst>
    case 'continue':
    case 'openWallet':
      return <Redirect entry={entry} />
  }
}

/**
 * Redirecting also requires the stored token. With only the cookie, the target page would redirect back here in a loop,
 * so a session without a stored token is ended instead.
 */
function entryOf({ session }: PageData, query: URLSearchParams, jwt: StoredJwt): Entry {
  const entry = loginEntry(session, query)
  return 'to' in entry && jwt.read() === undefined ? { kind: 'logOutFirst' } : entry
}

/** Ends the session, then shows the page. If that fails, it shows the page anyway: the next login replaces the session. */
function LogOutFirst({ children }: { children: ReactNode }) {
  const environment = useEnvironment()
  const { result, failure } = useLoad(async (signal) => {
    await removeUserState(environment)
    await environment.client(logout, { signal })
    return true
  }, environment.reportError)
  return result === undefined && failure === undefined ? <Waiting /> : children
}

function Redirect({ entry: { kind, to } }: { entry: Extract<Entry, { to: string }> }) {
  const { location, navigate, wallet } = useEnvironment()
  useEffect(() => {
    const target = withFragment(to, location())
    if (kind === 'openWallet') wallet.open(target)
    else navigate(target)
  }, [kind, to, location, navigate, wallet])
  return <Waiting />
}
