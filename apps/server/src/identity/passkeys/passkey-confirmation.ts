import { Refusal } from '@portico/contracts/errors'
import type { Visitor } from '../../http/visitor.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { AllStores, Stores } from '../../stores.ts'
import type { PasskeyChecks } from './passkey-checks.ts'

type Json = Record<string, unknown>

/**
 * Confirms by one of the person's own passkeys. The challenge names the session it was made for and that it confirms, so
 * its answer is worth nothing in another session, at a sign-in or at a second step.
 */
export function passkeyConfirmation({
  stores,
  checks,
}: {
  readonly stores: AllStores
  readonly checks: PasskeyChecks
}) {
  const purposeOf = ({ id }: OpenSession) => `confirmation ${id}`
  return {
    async begin(session: OpenSession, visitor: Visitor): Promise<{ options: Json }> {
      const passkeys = await stores.passkeys.of(session.identityId)
      if (passkeys.length === 0) throw new Refusal('method-not-available')
      const asked = { purpose: purposeOf(session), verifiesUser: true, passkeys }
      return { options: await checks.authentication(asked, visitor) }
    },

    /** Gives what uses the proof up. @throws Refusal - `passkey-refused`, also for a passkey of somebody else */
    async prove(
      response: Json,
      session: OpenSession,
      visitor: Visitor,
    ): Promise<(together: Stores, at: number) => Promise<void>> {
      // Whoever sits at a browser that was left open may have the device too: it has to know its owner.
      const given = { purpose: purposeOf(session), response, verifiesUser: true }
      const { passkey, useUp } = await checks.answered(given, visitor)
      if (passkey.identity_id !== session.identityId) throw new Refusal('passkey-refused')
      return useUp
    },
  }
}

/** Asks and proves; see `passkeyConfirmation`. */
export type PasskeyConfirmation = ReturnType<typeof passkeyConfirmation>
