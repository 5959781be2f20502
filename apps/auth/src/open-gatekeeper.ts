/** The gatekeeper (§4.10), for the passport of the account that the user acts as. Loaded on demand. */
import { ApiError } from '@portico/client/api-error'
import { readPassportStatus } from '@portico/contracts/passport'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { flowViolations, passportPage, passportPath } from '@portico/rules/gatekeeper'
import { tokenClaims } from '@portico/rules/token-claims'
import type { Environment, Gatekeeper } from './environment.ts'

/** Error codes that send the user to the login, rather than counting as a load error. */
const SESSION_GONE: readonly unknown[] = ['session-ended', 'unauthenticated']

export function openGatekeeper(
  deps: Pick<Environment, 'client' | 'deviceStorage' | 'jwt' | 'logViolations'>,
): Gatekeeper {
  const { client, jwt, deviceStorage, logViolations } = deps
  return async (request, signal) => {
    const { passportUuid } = request
    const passport = await client(readPassportStatus, {
      query: passportUuid === undefined ? {} : { passportUuid },
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      const isRefused = error instanceof ApiError && !SESSION_GONE.includes(error.reason)
      if (!isRefused || signal?.aborted) throw error
      return 'failed' as const
    })
    const connectedGroup = tokenClaims(jwt.read()).grp
    const violations = flowViolations({ request, passport, connectedGroup })
    if (violations.length > 0) {
      logViolations(violations)
      return { violations }
    }
    deviceStorage.write(STORAGE_KEYS.flowRequest, JSON.stringify(request))
    return { path: passportPath(passportPage({ request, passport })) }
  }
}
