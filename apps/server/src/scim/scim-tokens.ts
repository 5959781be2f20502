/**
 * SCIM tokens of identity providers' directories. A provider has at most two, so that a new one can be entered in the
 * directory before the old one ends. Only their hashes are stored.
 */
import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { randomSecret, sha256 } from '../secrets/hashes.ts'
import type { Stores } from '../stores.ts'

/** Secret scanners find tokens by this prefix. */
export const SCIM_TOKEN_PREFIX = 'portico_scim_'

const MAX_TOKENS = 2

/**
 * Creates a token for an identity provider's directory, in a transaction. Of the earlier tokens, only the newest stays
 * valid.
 *
 * @throws Refusal - `not-found` for an unknown provider
 */
export async function createScimToken(
  { directoryTokens, providers }: Pick<Stores, 'directoryTokens' | 'providers'>,
  { providerId, expiresAt = null, at }: ScimTokenRequest,
): Promise<string> {
  const token = `${SCIM_TOKEN_PREFIX}${randomSecret()}`
  // Locked, because two tokens created at the same time could exceed the limit.
  if ((await providers.findForUpdate(providerId)) === undefined) throw new Refusal('not-found')
  const earlier = await directoryTokens.list(providerId)
  const superseded = earlier.slice(MAX_TOKENS - 1).map(({ id }) => id)
  await directoryTokens.delete(providerId, superseded)
  await directoryTokens.insert({
    id: randomUUID(),
    providerId,
    tokenHash: sha256(token),
    createdAt: at,
    expiresAt,
    lastUsedAt: null,
  })
  return token
}

interface ScimTokenRequest {
  readonly providerId: string
  /** By default it does not expire. */
  readonly expiresAt?: number | null
  readonly at: number
}
