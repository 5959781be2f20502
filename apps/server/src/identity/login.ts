import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '@portico/contracts/errors'
import type { LoginResponse } from '@portico/contracts/identity'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { auditedAddress, refundIfBusy } from '../lockout/lockout.ts'
import type { LockoutLink } from '../lockout/lockout-link.ts'
import { withSharedDevice } from '../lockout/shared-device.ts'
import { hashPassword, verifyPassword } from '../secrets/password-hash.ts'
import type { Vault } from '../secrets/vault.ts'
import type { TransactionalStores } from '../stores.ts'
import { type AdmissionStores, type Admit, getIdentityForUpdate } from './admission.ts'

/**
 * How long a refusal takes while any account has another product's password hash. Those hashes are slower than ours, so
 * response times would otherwise reveal which users were imported.
 */
const REFUSAL_MS = 1000

/**
 * Logs in with e-mail address and password. An unknown address takes as long and gets the same response as a wrong password.
 * Another product's hash is replaced with ours.
 */
export function passwordLogin(deps: {
  readonly stores: TransactionalStores<AdmissionStores | 'attempts' | 'telemetry'>
  readonly vault: Vault
  readonly clock: Clock
  readonly admit: Admit
  readonly lockoutLink: LockoutLink
}) {
  const { stores, vault, clock, admit, lockoutLink } = deps
  return async (
    {
      email,
      password,
      telemetryTrackingId,
    }: { email: string; password: string; telemetryTrackingId?: string | undefined },
    visitor: Visitor,
  ): Promise<LoginResponse> => {
    const key = await lockoutLink.countAttempt(email, visitor)

    const startedAt = performance.now()
    const address = auditedAddress(vault, email)
    const identity = await stores.identities.findByEmail(email)
    const waiting = { client: visitor, line: 'logins' } as const
    const verified = verifyPassword(identity?.passwordHash ?? null, password, waiting)
    const isCorrect = await refundIfBusy(stores, key, verified)
    if (!identity || !isCorrect) {
      await stores.audit.record(
        'sign-in-refused',
        {
          identityId: identity?.id ?? null,
          at: clock(),
          details: identity === undefined ? { address } : {},
        },
        visitor,
      )
      if (await stores.identities.hasForeignPasswords()) {
        await wait(REFUSAL_MS - (performance.now() - startedAt))
      }
      throw new Refusal('wrong-credentials')
    }
    const { passwordHash: from, foreignPasswordAt } = identity
    const to =
      from === null || foreignPasswordAt === null ? null : await hashPassword(password, waiting)
    const login = stores.atomically(async (transaction) => {
      const current = await getIdentityForUpdate(transaction, identity, 'wrong-credentials')
      await transaction.attempts.refund(key)
      if (from !== null && to !== null) {
        await transaction.identities.replaceForeignPassword({ id: identity.id, from, to })
      }
      if (telemetryTrackingId !== undefined) {
        await transaction.telemetry.updateIdentity(telemetryTrackingId, identity.id)
      }
      return admit(transaction, current, visitor, 'password')
    })
    return withSharedDevice(stores, { visitor, at: clock() }, login)
  }
}
