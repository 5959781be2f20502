/**
 * The tokens with which the directories of identity providers call. A provider has two at most, so that a new one can be entered
 * in the directory before the old one ends. Only their hashes are stored.
 */
import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { randomSecret, sha256 } from '../secrets/hashes.ts'
import type { TransactionalStores } from '../stores.ts'

/** Secret scanners find tokens by this prefix. */
export const SCIM_TOKEN_PREFIX = 'portico_scim_'

const TOKENS_MAXIMUM = 2

/**
 * Makes a token for the directory of an identity provider. Of the earlier ones only the newest stays valid.
 *
 * @throws Refusal - `not-found` for an unknown provider
 */
export async function createScimToken(
  stores: TransactionalStores<'directoryTokens' | 'providers'>,
  { providerId, expiresAt = null, at }: ScimTokenRequest,
): Promise<string> {
  const token = `${SCIM_TOKEN_PREFIX}${randomSecret()}`
  await stores.atomically(async ({ directoryTokens, providers }) => {
    // Locked, because of two tokens that are made at the same time one would see too few.
    if ((await providers.findForUpdate(providerId)) === undefined) throw new Refusal('not-found')
    const earlier = await directoryTokens.list(providerId)
    const superseded = earlier.slice(TOKENS_MAXIMUM - 1).map(({ id }) => id)
    await directoryTokens.delete(providerId, superseded)
    const tokenHash = sha256(token)
    await directoryTokens.insert({
      id: randomUUID(),
      providerId,
      tokenHash,
      createdAt: at,
      expiresAt,
      lastUsedAt: null,
    })
  })
  return token
}

interface ScimTokenRequest {
  readonly providerId: string
  /** By default it does not expire. */
  readonly expiresAt?: number | null
  readonly at: number
}
