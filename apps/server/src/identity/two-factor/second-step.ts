/**
 * The second step of a login (§4.5). Every method shares the attempt limit of passwords and passcodes, and an attempt
 * is counted before it is verified. The login is completed once, by one statement; then the session starts.
 */
import { Refusal } from '@portico/contracts/errors'
import {
  INVITATION_INTERVAL_MS,
  WRONG_CODES_BEFORE_NOTICE,
  WRONG_CODES_MAXIMUM,
} from '@portico/contracts/limits'
import type { Clock } from '../../clock.ts'
import type { SecondMethod } from '../../database/tables.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { AttemptKey } from '../../limits/attempts.store.ts'
import { wrongCodesMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { SignInMethod } from '../../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import { getIdentityForUpdate, type StartSession } from '../admission.ts'
import { countAttempt } from '../count-attempt.ts'
import type { IdentityRow } from '../identities.store.ts'
import type { LockoutLink } from '../lockout-link.ts'

/** The stores that proofs are consumed in. */
type ProofStores = 'factorCodes' | 'messages' | 'passkeys' | 'recoveryCodes' | 'totp'

/** A login that waits for its second factor. */
export interface WaitingLogin {
  readonly uuid: string
  readonly identity: IdentityRow
  readonly method: SignInMethod
  /** When the first factor was accepted. */
  readonly startedAt: number
}

/** The operations shared by all second-step methods. */
export interface SecondStep {
  /** @throws Refusal - `first-factor-expired` if no such login waits */
  readonly getWaiting: (loginUuid: string) => Promise<WaitingLogin>
  /**
   * Counts an attempt and returns its counters. A method short enough to be guessed allows twenty wrong codes between
   * two successes, with no time limit.
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
    | 'factorLogins'
    | 'identities'
    | 'lockoutLinks'
    | 'sessions'
    | 'wrongCodes'
  >
  readonly vault: Vault
  readonly clock: Clock
  readonly startSession: StartSession
  readonly outbox: Outbox
  readonly lockoutLink: LockoutLink
}

/** Proofs of 80 bits or more, which cannot be guessed. */
const UNGUESSABLE: readonly SecondMethod[] = ['recovery-code', 'passkey']

/**
 * The counter for wrong codes. All mailed lockout links of an identity share one: each used link allows the next, so an
 * attacker who reads the mailbox, which may be the first factor, would otherwise have unlimited attempts.
 */
function wrongCodesKey({ name }: AttemptKey, { id }: IdentityRow): string {
  return name.startsWith('link ') ? `links ${id}` : name
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
      if (UNGUESSABLE.includes(second)) return key
      const wrong = await stores.wrongCodes.increment(
        `${second} ${wrongCodesKey(key, identity)}`,
        identity.id,
      )
      if (wrong <= WRONG_CODES_MAXIMUM) return key
      await lockoutLink.mail(identity.email, visitor)
      throw new Refusal('too-many-wrong-codes')
    },

    async recordFailure({ identity }, visitor, second) {
      await stores.audit.add({
        kind: 'second-factor-refused',
        at: clock(),
        identityId: identity.id,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
        details: { second },
      })
      if ((await stores.wrongCodes.countByIdentity(identity.id)) < WRONG_CODES_BEFORE_NOTICE) return
      const at = clock()
      const notifications = await stores.counters.count(
        `wrong codes ${identity.id}`,
        at,
        INVITATION_INTERVAL_MS,
      )
      if (notifications.count > 1) return
      const sender = visitor.senderTo(identity.organizationCode)
      await outbox.add(stores, wrongCodesMail(sender, { email: identity.email, at }))
    },

    complete({ uuid, identity, method }, visitor, proof) {
      const { second, rememberDevice, consumeProof } = proof
      return stores.atomically(async (transaction) => {
        const at = clock()
        const current = await getIdentityForUpdate(transaction, identity, 'first-factor-expired')
        if (current.lockedAt !== null) throw new Refusal('first-factor-expired')
        await consumeProof(transaction, at)
        if (!(await transaction.factorLogins.complete(uuid, at))) {
          throw new Refusal('first-factor-expired')
        }
        await transaction.wrongCodes.clear(identity.id)
        if (proof.attemptKey !== undefined) await transaction.attempts.refund(proof.attemptKey)
        return {
          jwt: await startSession(transaction, current, visitor, {
            method,
            second,
            rememberDevice,
          }),
        }
      })
    },
  }
}
