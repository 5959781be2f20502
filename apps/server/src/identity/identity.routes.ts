import { Refusal } from '@portico/contracts/errors'
import {
  login,
  logout,
  readBotCheckChallenge,
  readExpandedIdentity,
  readIdentity,
  readRegistrationVerification,
  readSession,
  redeemToken,
  register,
  sendToken,
  setPassword,
  stopImpersonation,
} from '@portico/contracts/identity'
import { GROUP_POLICY_ADDRESS_HEADER, WALLET_ADDRESS_HEADER } from '@portico/contracts/wallet'
import { assertBotCheckPassed, type BotCheck } from '../bot-check/bot-check.ts'
import type { Organizations } from '../brands/brands.ts'
import type { Clock } from '../clock.ts'
import { ACCOUNT_DISCLOSING, COSTLY } from '../http/rate-limits.ts'
import { type Edge, serve } from '../http/serve.ts'
import type { Visitor } from '../http/visitor.ts'
import type { LockoutLink } from '../lockout/lockout-link.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { LoginMetrics } from '../operations/login-metrics.ts'
import { withLoginPlace } from '../secrets/password-hash.ts'
import type { Vault } from '../secrets/vault.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import type { AllStores } from '../stores.ts'
import type { Tokens } from '../tokens/session-tokens.ts'
import type { Admit } from './admission.ts'
import type { BreachCheck } from './breached-passwords.ts'
import { passwordLogin } from './login.ts'
import { signOut, stopViewing } from './logout.ts'
import { redeemPasscode, sendPasscode } from './passcodes.ts'
import { cookieSessionOf, identityOf } from './read-identity.ts'
import { beginRegistration, verifyRegistration } from './registration.ts'
import { setNewPassword } from './set-password.ts'

export interface IdentityDeps {
  readonly stores: AllStores
  readonly organizations: Organizations
  readonly tokens: Tokens
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
  readonly botCheck: BotCheck
  readonly admit: Admit
  readonly isBreached: BreachCheck
  readonly lockoutLink: LockoutLink
  readonly loginMetrics: LoginMetrics
}

/** Routes for the identity calls of §7.2. */
export function identity(edge: Edge, deps: IdentityDeps): void {
  const { botCheck } = deps
  const { countLogin } = deps.loginMetrics
  const useCases = {
    login: passwordLogin(deps),
    send: sendPasscode(deps),
    redeem: redeemPasscode(deps),
    register: beginRegistration(deps),
    verify: verifyRegistration(deps),
    setPassword: setNewPassword(deps),
    signOut: signOut({ ...deps, sessions: edge.sessions }),
    stopViewing: stopViewing({ ...deps, sessions: edge.sessions }),
  }

  serve(
    edge,
    login,
    ({ body, visitor, headers }) =>
      countLogin('password', () =>
        // Before any query, so that a burst of logins does not occupy the database.
        withLoginPlace(visitor, async () => {
          await assertBotCheckPassed(botCheck, headers, visitor.network)
          return useCases.login(body, visitor)
        }),
      ),
    COSTLY,
  )
  serve(edge, sendToken, ({ body, visitor }) => useCases.send(body, visitor), COSTLY)
  serve(
    edge,
    redeemToken,
    ({ body, visitor }) => countLogin('passcode', () => useCases.redeem(body, visitor)),
    COSTLY,
  )
  serve(edge, register, ({ body, visitor }) => useCases.register(body.email, visitor), COSTLY)
  serve(
    edge,
    readRegistrationVerification,
    ({ query, visitor }) => useCases.verify(query, visitor),
    ACCOUNT_DISCLOSING,
  )
  serve(edge, setPassword, ({ body, session, visitor }) =>
    useCases.setPassword(body.newPassword, session, visitor),
  )
  serve(edge, readIdentity, async ({ session, visitor }) => {
    setAccountHeaders(session, visitor)
    return identityOf(session)
  })
  serve(edge, readExpandedIdentity, async ({ session, visitor }) => {
    setAccountHeaders(session, visitor)
    return identityOf(session)
  })
  serve(edge, readSession, async ({ visitor }) => {
    const session = await edge.sessions.ofCookie(visitor.sessionCookie)
    // A server that renders pages would mistake the operator for the person.
    if (session === undefined || session.operator !== undefined) return { session: null }
    await edge.sessions.extend(session)
    return { session: cookieSessionOf(session) }
  })
  serve(edge, logout, ({ visitor }) => useCases.signOut(visitor))
  serve(edge, stopImpersonation, ({ visitor }) => useCases.stopViewing(visitor))
  serve(edge, readBotCheckChallenge, async () => {
    if (!botCheck.challenge) throw new Refusal('not-found')
    return botCheck.challenge()
  })
}

/** Sets the response headers for the account that the session acts as (§3). */
function setAccountHeaders({ chosen }: OpenSession, visitor: Visitor): void {
  if (chosen === undefined) return
  visitor.setHeader(WALLET_ADDRESS_HEADER, chosen.walletAddress)
  if (chosen.groupPolicyAddress === undefined) return
  visitor.setHeader(GROUP_POLICY_ADDRESS_HEADER, chosen.groupPolicyAddress)
}
