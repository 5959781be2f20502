/**
 * The second step of a sign-in (§4.5). Whatever proves it, a guess is counted against the same budget as passwords and
 * passcodes, before it is looked at; the login is completed once, by one statement; then the session begins.
 */
import { Refusal } from '@portico/contracts/errors'
import type { Clock } from '../../clock.ts'
import type { SecondMethod } from '../../database/tables.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { SignInMethod } from '../../sessions/sessions.ts'
import type { AllStores, Stores } from '../../stores.ts'
import type { Enter } from '../admission.ts'
import type { IdentityRow } from '../identities.store.ts'
import { takeGuess } from '../take-guess.ts'

/** A first factor that waits for its second. */
interface WaitingLogin {
  readonly uuid: string
  readonly identity: IdentityRow
  readonly method: SignInMethod
}

/** What the calls of the second step share. */
export interface SecondStep {
  /** @throws Refusal - `first-factor-expired` where nothing waits under that name */
  readonly waiting: (loginUuid: string) => Promise<WaitingLogin>
  /** Takes one guess; gives the name it is counted under. @throws Refusal - `too-many-requests` */
  readonly guess: (login: WaitingLogin, visitor: Visitor) => Promise<string>
  /** Records that a guess was wrong. */
  readonly refused: (login: WaitingLogin, visitor: Visitor, second: SecondMethod) => Promise<void>
  /** Completes the login where `proved` uses the proof up, all together or not at all. */
  readonly complete: (
    login: WaitingLogin,
    visitor: Visitor,
    proof: {
      readonly second: SecondMethod
      readonly guessKey?: string
      readonly rememberDevice?: boolean | undefined
      /** Uses the proof up. @throws Refusal - where it was used before */
      readonly proved: (together: Stores, at: number) => Promise<void>
    },
  ) => Promise<{ jwt: string }>
}

/** What the second step leans on. */
export interface SecondStepNeeds {
  readonly stores: AllStores
  readonly vault: Vault
  readonly clock: Clock
  readonly enter: Enter
}

/** Makes the second step. */
export function secondStep({ stores, vault, clock, enter }: SecondStepNeeds): SecondStep {
  return {
    async waiting(loginUuid) {
      const login = await stores.factorLogins.waiting(loginUuid, clock())
      if (login === undefined) throw new Refusal('first-factor-expired')
      const identity = await stores.identities.byId(login.identity_id)
      // Somebody who was locked meanwhile learns it where they start again.
      if (identity === undefined || identity.locked_at !== null) {
        throw new Refusal('first-factor-expired')
      }
      return { uuid: login.id, identity, method: login.method }
    },

    guess: ({ identity }, visitor) => takeGuess({ stores, vault, clock }, identity.email, visitor),

    async refused({ identity }, visitor, second) {
      await stores.audit.add({
        kind: 'second-factor-refused',
        at: clock(),
        identityId: identity.id,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
        details: { second },
      })
    },

    complete({ uuid, identity, method }, visitor, proof) {
      const { second, rememberDevice, proved } = proof
      return stores.atomically(async (together) => {
        const at = clock()
        await proved(together, at)
        if (!(await together.factorLogins.complete(uuid, at))) {
          throw new Refusal('first-factor-expired')
        }
        if (proof.guessKey !== undefined) await together.guesses.giveBack(proof.guessKey)
        return { jwt: await enter(together, identity, visitor, { method, second, rememberDevice }) }
      })
    },
  }
}
