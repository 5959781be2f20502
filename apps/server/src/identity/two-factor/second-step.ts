/**
 * The second step of a sign-in (§4.5). Whatever proves it, a guess is counted against the same budget as passwords and
 * passcodes, before it is looked at; the login is completed once, by one statement; then the session begins.
 */
import { Refusal } from '@portico/contracts/errors'
import {
  INVITATION_REST_MS,
  WRONG_CODES_MAXIMUM,
  WRONG_CODES_TOLD,
} from '@portico/contracts/limits'
import type { Clock } from '../../clock.ts'
import type { SecondMethod } from '../../database/tables.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { AttemptKey } from '../../limits/attempts.store.ts'
import { wrongCodesMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { SignInMethod } from '../../sessions/sessions.ts'
import type { AllStores, Stores } from '../../stores.ts'
import { type Enter, identityInTurn } from '../admission.ts'
import { countAttempt } from '../count-attempt.ts'
import type { IdentityRow } from '../identities.store.ts'
import type { LockoutLink } from '../lockout-link.ts'

/** A first factor that waits for its second. */
export interface WaitingLogin {
  readonly uuid: string
  readonly identity: IdentityRow
  readonly method: SignInMethod
  /** When the first factor was right. */
  readonly startedAt: number
}

/** What the calls of the second step share. */
export interface SecondStep {
  /** @throws Refusal - `first-factor-expired` where nothing waits under that name */
  readonly waiting: (loginUuid: string) => Promise<WaitingLogin>
  /**
   * Takes one guess; returns what it is counted under. Methods that are short enough to be guessed take twenty wrong
   * ones between two successes, however long that takes.
   *
   * @throws Refusal - `too-many-requests`, `too-many-wrong-codes`
   */
  readonly guess: (
    login: WaitingLogin,
    visitor: Visitor,
    second: SecondMethod,
  ) => Promise<AttemptKey>
  /** Records a wrong guess, and notifies the owner after several. */
  readonly refused: (login: WaitingLogin, visitor: Visitor, second: SecondMethod) => Promise<void>
  /** Completes the login where `proved` uses the proof up, all together or not at all. */
  readonly complete: (
    login: WaitingLogin,
    visitor: Visitor,
    proof: {
      readonly second: SecondMethod
      readonly attemptKey?: AttemptKey
      readonly rememberDevice?: boolean | undefined
      /** Uses the proof up. @throws Refusal - where it was used before */
      readonly proved: (together: Stores, at: number) => Promise<void>
    },
  ) => Promise<{ jwt: string }>
}

/** What the second step leans on. */
export interface SecondStepDeps {
  readonly stores: AllStores
  readonly vault: Vault
  readonly clock: Clock
  readonly enter: Enter
  readonly outbox: Outbox
  readonly lockoutLink: LockoutLink
}

/** Proofs of 80 bits and more, which no number of attempts finds. */
const UNGUESSABLE: readonly SecondMethod[] = ['recovery-code', 'passkey']

/**
 * What wrong codes are counted under. All mailed links of a person count together: each use of one brings the next, so
 * whoever reads the mailbox, which may be the first factor, would have guesses without end.
 */
function counterOf({ name }: AttemptKey, { id }: IdentityRow): string {
  return name.startsWith('link ') ? `links ${id}` : name
}

/** Makes the second step. */
export function secondStep(deps: SecondStepDeps): SecondStep {
  const { stores, vault, clock, enter, outbox, lockoutLink } = deps
  return {
    async waiting(loginUuid) {
      const login = await stores.factorLogins.waiting(loginUuid, clock())
      if (login === undefined) throw new Refusal('first-factor-expired')
      const identity = await stores.identities.byId(login.identity_id)
      // An owner who was locked meanwhile learns it where they start again; the first factor may not be right any more.
      if (
        identity === undefined ||
        identity.locked_at !== null ||
        identity.credential_version !== login.credential_version
      ) {
        throw new Refusal('first-factor-expired')
      }
      return { uuid: login.id, identity, method: login.method, startedAt: login.created_at }
    },

    async guess({ identity }, visitor, second) {
      const key = await countAttempt({ stores, vault, clock }, identity.email, visitor)
      if (UNGUESSABLE.includes(second)) return key
      const wrong = await stores.wrongCodes.take(
        `${second} ${counterOf(key, identity)}`,
        identity.id,
      )
      if (wrong <= WRONG_CODES_MAXIMUM) return key
      await lockoutLink.mail(identity.email, visitor)
      throw new Refusal('too-many-wrong-codes')
    },

    async refused({ identity }, visitor, second) {
      await stores.audit.add({
        kind: 'second-factor-refused',
        at: clock(),
        identityId: identity.id,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
        details: { second },
      })
      if ((await stores.wrongCodes.ofIdentity(identity.id)) < WRONG_CODES_TOLD) return
      const at = clock()
      const told = await stores.counters.count(`wrong codes ${identity.id}`, at, INVITATION_REST_MS)
      if (told.count > 1) return
      const sender = visitor.senderTo(identity.organization_code)
      await outbox.add(stores, wrongCodesMail(sender, { email: identity.email, at }))
    },

    complete({ uuid, identity, method }, visitor, proof) {
      const { second, rememberDevice, proved } = proof
      return stores.atomically(async (together) => {
        const at = clock()
        const current = await identityInTurn(together, identity, 'first-factor-expired')
        if (current.locked_at !== null) throw new Refusal('first-factor-expired')
        await proved(together, at)
        if (!(await together.factorLogins.complete(uuid, at))) {
          throw new Refusal('first-factor-expired')
        }
        await together.wrongCodes.clear(identity.id)
        if (proof.attemptKey !== undefined) await together.guesses.giveBack(proof.attemptKey)
        return { jwt: await enter(together, current, visitor, { method, second, rememberDevice }) }
      })
    },
  }
}
