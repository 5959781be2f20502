import { ApiError } from '@portico/client/api-error'
import { NOTICES } from '@portico/contracts/errors'
import { readIdentity } from '@portico/contracts/identity'
import { storeBorrowerQueryParams } from '@portico/contracts/lead-portal'
import { BEARER_PREFIX } from '@portico/contracts/storage-keys'
import type { Services } from '@portico/flow'
import { withFragment } from '@portico/rules/redirect-target'
import type { Failure } from '@portico/shell/failure'
import { failureOf } from '@portico/shell/failure-of'
import type { Environment } from '../environment.ts'
import type { Command, Event } from './session-start.flow.ts'

/** How long the person waits for the query parameters to be kept. */
const SAVE_PATIENCE_MS = 2000

/** Said where the identity of somebody who has just signed in is nowhere to be found (§8). */
const USER_NOT_FOUND: Failure = { notices: [NOTICES.userNotFound], reason: 'user-not-found' }

/** What the start of a session leans on. */
export interface SessionStartDeps
  extends Pick<Environment, 'client' | 'jwt' | 'location' | 'navigate' | 'wait' | 'wallet'> {
  readonly onFailed: (failure: Failure) => void
}

/** Carries out what the start of a session has done; each service reports back with an event. */
export function sessionStartServices(deps: SessionStartDeps): Services<Event, Command> {
  const { client, jwt: stored, location, navigate, wait, wallet, onFailed } = deps
  return {
    async readIdentity({ jwt }, signal) {
      try {
        const headers = { authorization: `${BEARER_PREFIX}${jwt}` }
        const { passwordExpired, hasPassword = true } = await client(readIdentity, {
          headers,
          signal,
        })
        return { type: 'identityRead', passwordExpired, hasPassword }
      } catch (error) {
        return { type: 'refused', failure: isNotFound(error) ? USER_NOT_FOUND : failureOf(error) }
      }
    },
    keepJwt: ({ jwt }) => stored.keep(jwt),
    async saveQuery({ queryParams }, signal) {
      if (Object.keys(queryParams).length > 0) {
        // It outlives the page, and the sign-in proceeds whether it succeeds, fails or takes its time (§4.4).
        const saved = client(storeBorrowerQueryParams, { body: { queryParams }, keepalive: true })
        await Promise.race([saved.catch(() => undefined), wait(SAVE_PATIENCE_MS, signal)])
      }
      return { type: 'querySaved' }
    },
    openWallet: ({ to }) => wallet.open(withFragment(to, location())),
    leave: ({ to }) => navigate(withFragment(to, location())),
    handBack: ({ failure }) => onFailed(failure),
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
