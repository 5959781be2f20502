import type { UserType } from '@portico/contracts/broker'
import { emailAddress } from '@portico/contracts/email-address'
import { Refusal } from '@portico/contracts/errors'
import { PROVIDER_LOGIN_LIFETIME_MS } from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { randomSecret, sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'
import { cookieNameOf, newLoginState } from './login-state.ts'
import { issuerOf, type OpenProvider, returnUrlOf } from './providers.ts'

interface LoginRequest {
  readonly email?: string | undefined
  readonly queryParams?: Readonly<Record<string, string>> | undefined
  readonly telemetryTrackingId?: string | undefined
}

/**
 * Begins a login at the identity provider of the page's organization. With an address, only if it belongs to a verified
 * domain of the provider. The response depends on the domain alone, so it does not reveal whether an account exists.
 */
export function beginProviderLogin(deps: {
  readonly stores: Pick<Stores, 'providerLogins' | 'providers'>
  readonly vault: Vault
  readonly clock: Clock
  readonly openProvider: OpenProvider
}) {
  const { stores, vault, clock, openProvider } = deps
  return async (
    userType: UserType,
    { email, queryParams, telemetryTrackingId }: LoginRequest,
    visitor: Visitor,
  ): Promise<{ redirect?: string; state?: string }> => {
    const provider = await stores.providers.findEnabled(visitor.organization.orgCode, userType)
    if (provider === undefined) return {}
    if (email !== undefined) {
      const domain = email.slice(email.indexOf('@') + 1)
      if (!(await stores.providers.hasVerifiedDomain(provider.id, domain))) return {}
    }
    const { state, stateHash } = newLoginState()
    const request = {
      state,
      returnUrl: returnUrlOf(provider, visitor),
      loginHint: email ?? emailAddress(queryParams?.['email'] ?? ''),
      choosesAccount: visitor.refusedProvider === provider.id,
    }
    const { redirect, checks } = await begin(() => openProvider(provider, visitor).begin(request))
    const browserSecret = randomSecret()
    const at = clock()
    await stores.providerLogins.insert({
      stateHash,
      providerId: provider.id,
      issuer: issuerOf(provider),
      cookieHash: sha256(browserSecret),
      email: email ?? null,
      telemetryTrackingId: telemetryTrackingId ?? null,
      wrapped: vault.wrap('provider login', checks),
      createdAt: at,
      expiresAt: at + PROVIDER_LOGIN_LIFETIME_MS,
    })
    visitor.keepProviderLogin(cookieNameOf(stateHash), browserSecret)
    return { redirect, state }
  }
}

/** @throws Refusal - `provider-not-available` */
async function begin<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new Refusal('provider-not-available', { cause: error })
  }
}
