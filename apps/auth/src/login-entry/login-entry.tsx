import type { StoredJwt } from '@portico/client/stored-jwt'
import type { PageData } from '@portico/contracts/page-data'
import { useFlow } from '@portico/flow/react'
import { loginEntry as decide, type LoginEntry as Entry } from '@portico/rules/login-entry'
import { Waiting } from '@portico/shell/waiting'
import { useEnvironment } from '../environment.ts'
import { Login } from '../login/login.tsx'
import { loginEntry } from './login-entry.flow.ts'
import { loginEntryServices } from './login-entry.services.ts'

/** The login page for whoever comes to it: shown at once, after a log-out, or not at all (§4.4). */
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
 * Going on needs the stored token too: with the cookie alone the page ahead would send the person straight back here,
 * round and round, so a session whose token is gone is ended instead.
 */
function entryOf({ session }: PageData, query: URLSearchParams, jwt: StoredJwt): Entry {
  const entry = decide(session, query)
  return (entry.kind === 'goOn' || entry.kind === 'openWallet') && jwt.read() === undefined
    ? { kind: 'logOutFirst' }
    : entry
}
