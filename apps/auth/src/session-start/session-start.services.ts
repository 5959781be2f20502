import { ApiError } from '@portico/client/api-error'
import { readIdentity } from '@portico/contracts/identity'
import { storeBorrowerQueryParams } from '@portico/contracts/lead-portal'
import { NOTICES } from '@portico/contracts/notices'
import { BEARER_PREFIX } from '@portico/contracts/storage-keys'
import type { Services } from '@portico/flow'
import { withFragment } from '@portico/rules/redirect-target'
import type { Failure } from '@portico/shell/failure'
import { withRefusals } from '@portico/shell/failure-of'
import type { Environment } from '../environment.ts'
import type { Command, Event } from './session-start.flow.ts'

/** How long to wait for the query parameters to be saved. */
const SAVE_TIMEOUT_MS = 2000

/** Shown if the server cannot find the identity of a user who has just logged in (§8). */
const USER_NOT_FOUND: Failure = { notices: [NOTICES.userNotFound], reason: 'user-not-found' }

export interface SessionStartDeps
  extends Pick<Environment, 'client' | 'jwt' | 'location' | 'navigate' | 'wait' | 'wallet'> {
  /** Looks up a user who logged in at an identity provider, where passwords do not apply; returns whether they exist. */
  readonly lookUp?: ((signal: AbortSignal) => Promise<boolean>) | undefined
  readonly onFailed: (failure: Failure) => void
}

export function sessionStartServices(deps: SessionStartDeps): Services<Event, Command> {
  const { client, jwt: stored, location, navigate, wait, wallet, lookUp, onFailed } = deps
  return withRefusals<Event, Command>({
    async readIdentity({ jwt }, signal) {
      try {
        if (lookUp !== undefined) {
          return (await lookUp(signal))
            ? { type: 'identityRead', passwordExpired: false, hasPassword: false }
            : { type: 'refused', failure: USER_NOT_FOUND }
        }
        const headers = { authorization: `${BEARER_PREFIX}${jwt}` }
        const { passwordExpired, hasPassword = true } = await client(readIdentity, {
          headers,
          signal,
        })
        return { type: 'identityRead', passwordExpired, hasPassword }
      } catch (error) {
        if (isNotFound(error)) return { type: 'refused', failure: USER_NOT_FOUND }
        throw error
      }
    },
    storeJwt: ({ jwt }) => stored.write(jwt),
    async saveQuery({ queryParams }, signal) {
      if (Object.keys(queryParams).length > 0) {
        // The request outlives the page, and the login continues whether it succeeds, fails or times out (§4.4).
        const saved = client(storeBorrowerQueryParams, { body: { queryParams }, keepalive: true })
        await Promise.race([saved.catch(() => undefined), wait(SAVE_TIMEOUT_MS, signal)])
      }
      return { type: 'querySaved' }
    },
    openWallet: ({ to }) => wallet.open(withFragment(to, location())),
    leave: ({ to }) => navigate(withFragment(to, location())),
    returnResult: ({ failure }) => onFailed(failure),
  })
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
