import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import type { StoredJwt } from '@portico/client/stored-jwt'
import type { FlowRequest } from '@portico/contracts/flow-request'
import { readPassportStatus } from '@portico/contracts/passport'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { TextStorage } from '@portico/contracts/text-storage'
import { flowViolations, passportPage, passportPath } from '@portico/rules/gatekeeper'
import { tokenClaims } from '@portico/rules/token-claims'

/** Where a flow request leads, or the rules it violates (§5), which are logged. */
export type GatekeeperResult =
  | { readonly path: string }
  | { readonly violations: readonly string[] }

export type Gatekeeper = (
  request: FlowRequest,
  signal?: AbortSignal,
) => Promise<GatekeeperResult>

/** The gatekeeper (§4.10) on the passport of the account that the user acts as. */
export function openGatekeeper(deps: {
  readonly client: Client
  readonly jwt: StoredJwt
  readonly deviceStorage: TextStorage
  readonly logViolations: (violations: readonly string[]) => void
}): Gatekeeper {
  const { client, jwt, deviceStorage, logViolations } = deps
  return async (request, signal) => {
    const { passportUuid } = request
    const passport = await client(readPassportStatus, {
      query: passportUuid === undefined ? {} : { passportUuid },
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      // Without a session there is no account; the caller starts the login.
      if (!(error instanceof ApiError) || error.status === 401 || signal?.aborted) throw error
      return 'failed' as const
    })
    const connectedGroup = tokenClaims(jwt.read()).grp
    const violations = flowViolations({ request, passport, connectedGroup })
    if (violations.length > 0) {
      logViolations(violations)
      return { violations }
    }
    deviceStorage.keep(STORAGE_KEYS.flowRequest, JSON.stringify(request))
    return { path: passportPath(passportPage({ request, passport })) }
  }
}
