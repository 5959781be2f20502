import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { MAX_PASSKEYS } from '@portico/contracts/limits'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { Stores } from '../../stores.ts'
import {
  assertConfirmed,
  assertUnmanaged,
  type SecurityChange,
} from '../account-security/security-change.ts'
import type { Json, PasskeyChecks } from './passkey-checks.ts'

/** Adds, renames and removes passkeys. */
export function passkeySetup(deps: {
  readonly stores: Pick<Stores, 'passkeys' | 'providers'>
  readonly clock: Clock
  readonly checks: PasskeyChecks
  readonly change: SecurityChange
}) {
  const { stores, clock, checks, change } = deps
  const purposeOf = ({ id }: OpenSession, challengeUuid: string) =>
    `registration ${id} ${challengeUuid}`
  return {
    async begin(
      session: OpenSession,
      visitor: Visitor,
    ): Promise<{ challengeUuid: string; options: Json }> {
      await assertUnmanaged(stores, session)
      assertConfirmed(session, clock())
      assertRoom(await stores.passkeys.list(session.identityId))
      const challengeUuid = randomUUID()
      const purpose = purposeOf(session, challengeUuid)
      return { challengeUuid, options: await checks.registrationOptions(purpose, session, visitor) }
    },

    async add(
      request: { challengeUuid: string; name: string; response: Json },
      session: OpenSession,
      visitor: Visitor,
    ): Promise<void> {
      assertConfirmed(session, clock())
      const { identityId } = session
      const purpose = purposeOf(session, request.challengeUuid)
      const credential = await checks.verifyRegistration(
        { purpose, response: request.response },
        visitor,
      )
      await change(session, visitor, {
        kind: 'passkey-added',
        addsFactor: true,
        description: 'a passkey was added.',
        apply: async ({ passkeys }, at, origin) => {
          assertRoom(await passkeys.list(identityId))
          const passkey = { id: randomUUID(), identityId, name: request.name, ...credential }
          if (!(await passkeys.insert({ ...passkey, at, origin })))
            throw new Refusal('passkey-refused')
          return true
        },
      })
    },

    rename: ({ uuid, name }: { uuid: string; name: string }, session: OpenSession) =>
      stores.passkeys.updateName(session.identityId, uuid, name),

    remove: (uuid: string, session: OpenSession, visitor: Visitor): Promise<void> =>
      change(session, visitor, {
        kind: 'passkey-removed',
        description: 'a passkey was removed.',
        apply: ({ passkeys }) => passkeys.delete(session.identityId, uuid),
      }),
  }
}

/** @throws Refusal - `too-many-factors` if the maximum number of passkeys is reached */
function assertRoom(passkeys: readonly unknown[]): void {
  if (passkeys.length >= MAX_PASSKEYS) throw new Refusal('too-many-factors')
}
