/**
 * The second step of a login (§4.5). Every method shares the attempt limit of passwords and passcodes, and an attempt
 * is counted before it is verified. The login is completed once, by one statement; then the session starts.
 */
import { Refusal } from '@portico/contracts/errors'
import type { Clock } from '../../clock.ts'
import type { SecondMethod } from '../../database/tables.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { AttemptKey } from '../../lockout/attempts.store.ts'
import { countAttempt } from '../../lockout/lockout.ts'
import type { LockoutLink } from '../../lockout/lockout-link.ts'
import { withSharedDevice } from '../../lockout/shared-device.ts'
import { countCode, notifyOfWrongCodes } from '../../lockout/wrong-codes.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { SignInMethod } from '../../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import type { Tokens } from '../../tokens/session-tokens.ts'
import { getIdentityForUpdate, type StartSession } from '../admission.ts'
import type { IdentityRow } from '../identities.store.ts'

/** The stores in which proofs are consumed. */
type ProofStores = 'factorCodes' | 'identities' | 'messages' | 'passkeys' | 'recoveryCodes' | 'totp'

/** A login waiting for its second factor. */
export interface WaitingLogin {
  readonly uuid: string
  readonly identity: IdentityRow
  readonly method: SignInMethod
  /** When the first factor was accepted. */
  readonly startedAt: number
}

/** The operations shared by all second-step methods. */
export interface SecondStep {
  /** @throws Refusal - `first-factor-expired` if no such login is waiting */
  readonly getWaiting: (loginUuid: string) => Promise<WaitingLogin>
  /**
   * Counts an attempt and returns its counters. A method with guessable codes allows twenty wrong ones between two
   * completed logins, however long they take.
   *
   * @throws Refusal - `too-many-requests`, `too-many-wrong-codes`
   */
  readonly countAttempt: (
    login: WaitingLogin,
    visitor: Visitor,
    second: SecondMethod,
  ) => Promise<AttemptKey>
  /** Records a failed attempt, and notifies the owner after several. */
  readonly recordFailure: (
    login: WaitingLogin,
    visitor: Visitor,
    second: SecondMethod,
  ) => Promise<void>
  /** Completes the login and starts its session, in one transaction with `consumeProof`. */
  readonly complete: (
    login: WaitingLogin,
    visitor: Visitor,
    proof: {
      readonly second: SecondMethod
      readonly attemptKey?: AttemptKey
      readonly rememberDevice?: boolean | undefined
      /** @throws Refusal - if the proof was consumed before */
      readonly consumeProof: (transaction: Pick<Stores, ProofStores>, at: number) => Promise<void>
    },
  ) => Promise<{ jwt: string }>
}

export interface SecondStepDeps {
  readonly stores: TransactionalStores<
    | ProofStores
    | 'attempts'
    | 'audit'
    | 'counters'
    | 'devices'
    | 'directoryUsers'
    | 'factorLogins'
    | 'identities'
    | 'lockoutLinks'
    | 'providerLogins'
    | 'providers'
    | 'sessions'
    | 'wrongCodes'
  >
  readonly vault: Vault
  readonly clock: Clock
  readonly startSession: StartSession
  readonly outbox: Outbox
  readonly lockoutLink: LockoutLink
  readonly tokens: Tokens
}

export function secondStep(deps: SecondStepDeps): SecondStep {
  const { stores, vault, clock, startSession, outbox, lockoutLink } = deps
  return {
    async getWaiting(loginUuid) {
      const login = await stores.factorLogins.findWaiting(loginUuid, clock())
      if (login === undefined) throw new Refusal('first-factor-expired')
      const identity = await stores.identities.findById(login.identityId)
      // A login started before a lock or a change of credentials must start over; the lock is reported there.
      if (
        identity === undefined ||
        identity.lockedAt !== null ||
        identity.credentialVersion !== login.credentialVersion
      ) {
        throw new Refusal('first-factor-expired')
      }
      return { uuid: login.id, identity, method: login.method, startedAt: login.createdAt }
    },

    async countAttempt({ identity }, visitor, second) {
      const key = await countAttempt({ stores, vault, clock }, identity.email, visitor)
      if (await countCode(stores, { key, second, identityId: identity.id })) return key
      await lockoutLink.mail(identity.email, visitor)
      throw new Refusal('too-many-wrong-codes')
    },

    async recordFailure({ identity }, visitor, second) {
      await stores.audit.record(
        'second-factor-refused',
        { identityId: identity.id, at: clock(), details: { second } },
        visitor,
      )
      await notifyOfWrongCodes({ stores, clock, outbox }, identity, visitor)
    },

    complete({ uuid, identity, method }, visitor, proof) {
      const { second, rememberDevice, consumeProof } = proof
      const at = clock()
      const login = stores.atomically(async (transaction) => {
        const current = await getIdentityForUpdate(transaction, identity, 'first-factor-expired')
        if (current.lockedAt !== null || (await transaction.directoryUsers.hasLeft(current.id))) {
          throw new Refusal('first-factor-expired')
        }
        await consumeProof(transaction, at)
        if (!(await transaction.factorLogins.consume(uuid, at))) {
          throw new Refusal('first-factor-expired')
        }
        await transaction.wrongCodes.delete(identity.id)
        if (proof.attemptKey !== undefined) await transaction.attempts.refund(proof.attemptKey)
        if (method === 'provider') {
          // The session has the provider's organization, as without a second step.
          const orgCode = await transaction.providerLogins.findFactorOrganization(uuid)
          if (orgCode === undefined || !visitor.serves(orgCode)) {
            throw new Refusal('first-factor-expired')
          }
          visitor.useOrganization(orgCode)
        }
        const jwt = await startSession(transaction, current, visitor, {
          method,
          second,
          rememberDevice,
        })
        if (method === 'provider') {
          const sessionId = deps.tokens.read('session', jwt)?.sid
          if (sessionId === undefined)
            throw new Error('The token of the new session has no session')
          await transaction.providerLogins.updateFactorSession(uuid, sessionId)
        }
        return { jwt }
      })
      return withSharedDevice(stores, { visitor, at }, login)
    },
  }
}
