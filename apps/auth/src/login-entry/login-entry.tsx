import type { StoredJwt } from '@portico/client/stored-jwt'
import type { PageData } from '@portico/contracts/page-data'
import { useFlow } from '@portico/flow/react'
import { loginEntry as decide, type LoginEntry as Entry } from '@portico/rules/login-entry'
import { Waiting } from '@portico/shell/waiting'
import { useEnvironment } from '../environment.ts'
import { Login } from '../login/login.tsx'
import { loginEntry } from './login-entry.flow.ts'
import { loginEntryServices } from './login-entry.services.ts'

/** The entry to the login page (§4.4): shows the form, logs out first, or redirects a signed-in user. */
export function LoginEntry({ page, query }: { page: PageData; query: URLSearchParams }) {
  const environment = useEnvironment()
  const [state] = useFlow(loginEntry, {
    input: entryOf(page, query, environment.jwt),
    services: loginEntryServices(environment),
    report: environment.reportError,
  })
  return state.step === 'showing' ? <Login page={page} query={query} /> : <Waiting />
}

/**
 * Redirecting also requires the stored token. With only the cookie, the target page would redirect back here in a loop,
 * so a session without a stored token is ended instead.
 */
function entryOf({ session }: PageData, query: URLSearchParams, jwt: StoredJwt): Entry {
  const entry = decide(session, query)
  return (entry.kind === 'goOn' || entry.kind === 'openWallet') && jwt.read() === undefined
    ? { kind: 'logOutFirst' }
    : entry
}
