import type { BROKER, BrokerIdentity, UserType } from '@portico/contracts/broker'
import type { Parsed } from '@portico/contracts/call'
import { Refusal } from '@portico/contracts/errors'
import type { LoginResponse } from '@portico/contracts/identity'
import { ROUTER_BASE } from '@portico/contracts/limits'
import { profileTypeOf } from '@portico/rules/provider-admission'
import type { Visitor } from '../http/visitor.ts'
import { loginOptions } from '../identity/identity.ts'
import { sha256 } from '../secrets/hashes.ts'
import { endSession, type OpenSession, type Sessions } from '../sessions/sessions.ts'
import type { BrokerDeps } from './complete-login.ts'
import { cookieNameOf } from './login-state.ts'

const LOGIN_PATH = `${ROUTER_BASE}/login`

/** Operations on a session that a login at an identity provider started. */
export function brokerSession(deps: BrokerDeps & { readonly sessions: Sessions }) {
  const { stores, vault, clock, log, openProvider, sessions } = deps

  return {
    /** Exchanges the login's state for the session token, once, or for the second step that the login waits for. */
    async redeem(
      userType: UserType,
      state: string,
      visitor: Visitor,
    ): Promise<Parsed<(typeof BROKER)[UserType]['redeemLogin']['answer']>> {
      const stateHash = sha256(state)
      const twoFactorOptions = await findSecondStep(userType, stateHash, visitor)
      if (twoFactorOptions !== undefined) return { twoFactorOptions }
      const session = await sessions.ofCookie(visitor.sessionCookie)
      if (session === undefined) throw new Refusal('session-ended')
      assertUserType(userType, session)
      if (!(await stores.providerLogins.redeem(stateHash, session.id, clock()))) {
        // Not `session-ended`, which makes the page remove its token: after Back, the state is that of an earlier login.
        throw new Refusal('code-used')
      }
      visitor.dropProviderLogin(cookieNameOf(stateHash))
      return { jwt: sessions.issueToken(session) }
    },

    async readIdentity(userType: UserType, session: OpenSession): Promise<BrokerIdentity> {
      assertUserType(userType, session)
      const { chosen, organizationCode } = session
      const isLegacyCustomer = userType === 'customer' && session.hasPassword
      return {
        identityUuid: session.identityId,
        organizationCode,
        userType,
        email: session.email,
        updatedAt: new Date(session.updatedAt).toISOString(),
        isManageable: (await stores.providers.findManager(session.identityId)) !== undefined,
        activeLegacyCustomerOrgs: isLegacyCustomer ? [organizationCode] : [],
        ...(chosen === undefined
          ? {}
          : {
              walletContext: {
                accountAddress: chosen.walletAddress,
                groupPolicyAddress: chosen.groupPolicyAddress,
              },
            }),
      }
    },

    /** Our own session ends first: whatever happens at the provider, the user is logged out here. */
    async logOut(
      userType: UserType,
      session: OpenSession,
      visitor: Visitor,
    ): Promise<{ redirect: string }> {
      assertUserType(userType, session)
      visitor.dropSession()
      await endSession(deps, session, visitor)
      return { redirect: (await providerLogout(session, visitor)) ?? LOGIN_PATH }
    },
  }

  /** The second step that this browser's login waits for. */
  async function findSecondStep(
    userType: UserType,
    stateHash: string,
    visitor: Visitor,
  ): Promise<LoginResponse['twoFactorOptions']> {
    const browserSecret = visitor.providerLoginCookie(cookieNameOf(stateHash))
    if (browserSecret === undefined) return undefined
    const loginUuid = await stores.providerLogins.findFactorLogin(stateHash, sha256(browserSecret))
    if (loginUuid === undefined) return undefined
    const waiting = await stores.factorLogins.findWaiting(loginUuid, clock())
    const account = waiting && (await stores.identities.findById(waiting.identityId))
    if (account === undefined) throw new Refusal('first-factor-expired')
    assertUserType(userType, account)
    const { canSendTexts } = deps.outbox
    const options = await loginOptions(stores, account, { method: 'provider', canSendTexts })
    if (options === undefined) throw new Refusal('first-factor-expired')
    return { loginUuid, ...options }
  }

  async function providerLogout(
    { id }: OpenSession,
    visitor: Visitor,
  ): Promise<string | undefined> {
    const login = await stores.providerLogins.findBySession(id)
    if (login === undefined) return undefined
    const provider = await stores.providers.findEnabledById(login.providerId)
    if (provider === undefined) return undefined
    try {
      const proof = vault.unwrap('provider login', login.wrapped)
      return await openProvider(provider, visitor).logoutUrl({
        proof: proof === '' ? undefined : proof,
        returnUrl: `${visitor.linkOrigin}${LOGIN_PATH}`,
      })
    } catch (error) {
      log.warn({ err: error, provider: provider.id }, 'logging out at an identity provider failed')
      return undefined
    }
  }
}

/** @throws Refusal - `user-type-refused` for an agent at a customer's endpoint, and vice versa */
function assertUserType(
  userType: UserType,
  { profileType }: Pick<OpenSession, 'profileType'>,
): void {
  if (profileType !== profileTypeOf(userType)) throw new Refusal('user-type-refused')
}
