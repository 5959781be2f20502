import type { SecurityOverview } from '@portico/contracts/account-security'
import type { Clock } from '../../clock.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { AllStores } from '../../stores.ts'
import { questionsOf } from '../two-factor/questions.ts'
import { deviceName } from './device-name.ts'
import { isConfirmed } from './security-change.ts'

const EVENTS_SHOWN = 20

/** Reads everything the security page shows. */
export function securityOverview(needs: {
  readonly stores: AllStores
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'takesTexts'>
}) {
  const { stores, clock, outbox } = needs
  return async (session: OpenSession): Promise<SecurityOverview> => {
    const at = clock()
    const { identityId } = session
    const aliases = (await stores.identities.aliases(identityId)).filter(
      ({ verified_at }) => verified_at !== null,
    )
    return {
      aliases: aliases.map(({ id, type, value }) => ({
        uuid: id,
        type,
        value,
        verified: true,
        auth: true,
      })),
      emailFactorEnabled: session.emailFactor,
      totpEnabled: aliases.some(({ type }) => type === 'TOTP'),
      textsAvailable: outbox.takesTexts,
      questions: await questionsOf(stores, identityId),
      recoveryCodesLeft: await stores.recoveryCodes.left(identityId),
      passkeys: (await stores.passkeys.of(identityId)).map((row) => ({
        uuid: row.id,
        name: row.name,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
      })),
      sessions: (await stores.sessions.ofIdentity(identityId, at)).map((row) => ({
        uuid: row.id,
        device: deviceName(row.user_agent),
        network: row.network,
        method: row.method,
        signedInAt: row.created_at,
        current: row.id === session.id,
      })),
      events: await stores.audit.latest(identityId, EVENTS_SHOWN),
      hasPassword: session.hasPassword,
      confirmed: isConfirmed(session, at),
    }
  }
}
