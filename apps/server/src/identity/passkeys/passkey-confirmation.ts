import { Refusal } from '@portico/contracts/errors'
import type { Visitor } from '../../http/visitor.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { Stores } from '../../stores.ts'
import type { Json, PasskeyChecks } from './passkey-checks.ts'

/**
 * Confirms with one of the user's passkeys. The challenge is bound to the session and to this purpose, so its response
 * is useless in another session, for a login or for a second step.
 */
export function passkeyConfirmation({
  stores,
  checks,
}: {
  readonly stores: Pick<Stores, 'passkeys'>
  readonly checks: PasskeyChecks
}) {
  const purposeOf = ({ id }: OpenSession) => `confirmation ${id}`
  return {
    async begin(session: OpenSession, visitor: Visitor): Promise<{ options: Json }> {
      const passkeys = await stores.passkeys.list(session.identityId)
      if (passkeys.length === 0) throw new Refusal('method-not-available')
      const request = { purpose: purposeOf(session), requireUserVerification: true, passkeys }
      return { options: await checks.authenticationOptions(request, visitor) }
    },

    /**
     * Verifies the response and returns the passkey, and how to consume the response.
     *
     * @throws Refusal - `passkey-refused`, also for another user's passkey
     */
    async prove(response: Json, session: OpenSession, visitor: Visitor) {
      // User verification is required: someone who finds the browser open may have the device too.
      const expected = { purpose: purposeOf(session), response, requireUserVerification: true }
      const { passkey, consume } = await checks.verifyAuthentication(expected, visitor)
      if (passkey.identityId !== session.identityId) throw new Refusal('passkey-refused')
      return { passkey, consume }
    },
  }
}

export type PasskeyConfirmation = ReturnType<typeof passkeyConfirmation>
