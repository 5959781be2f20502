import type { SecurityOverview } from '@portico/contracts/account-security'
import { READS_OF_PERSON, REFUSALS_OF_PERSON } from '../../audit/audit-events.ts'
import type { Clock } from '../../clock.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { Stores } from '../../stores.ts'
import { expandedAliases } from '../read-identity.ts'
import { questionsOf } from '../two-factor/recovery-questions.ts'
import { deviceName } from './device-name.ts'
import { acceptedProofs } from './factor-ages.ts'
import { recentProof } from './security-change.ts'

const EVENTS_SHOWN = 20

// A busy wallet records many approvals a day, and a reviewer reads many passports. They must not crowd logins out of the
// list.
const DECISIONS = ['approval-given', 'approval-rejected'] as const
const NOT_SHOWN = [
  'approval-asked',
  'passport-answers-read',
  'passport-file-read',
  ...READS_OF_PERSON,
  ...REFUSALS_OF_PERSON,
] as const
const DECISIONS_SHOWN = 5

export function securityOverview(deps: {
  readonly stores: Pick<
    Stores,
    | 'accountData'
    | 'audit'
    | 'identities'
    | 'passkeys'
    | 'providers'
    | 'recoveryCodes'
    | 'securityAnswers'
    | 'sessions'
    | 'totp'
  >
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'canSendTexts'>
}) {
  const { stores, clock, outbox } = deps

  /** Newest first. A wallet request appears as its decision, and a review as its decision. */
  async function latestEvents(identityId: string): Promise<SecurityOverview['events']> {
    const [decisions, others] = await Promise.all([
      stores.audit.listLatest(identityId, { only: DECISIONS, limit: DECISIONS_SHOWN }),
      stores.audit.listLatest(identityId, {
        except: [...NOT_SHOWN, ...DECISIONS],
        limit: EVENTS_SHOWN,
      }),
    ])
    return [...decisions, ...others].sort((a, b) => b.at - a.at).slice(0, EVENTS_SHOWN)
  }

  return async (session: OpenSession): Promise<SecurityOverview> => {
    const at = clock()
    const { identityId, aliases } = session
    return {
      aliases: expandedAliases(session),
      emailFactorEnabled: session.emailFactor,
      totpEnabled: aliases.some(({ type }) => type === 'TOTP'),
      textsAvailable: outbox.canSendTexts,
      questions: await questionsOf(stores, identityId),
      recoveryCodesLeft: await stores.recoveryCodes.countUnused(identityId),
      passkeys: (await stores.passkeys.list(identityId)).map((row) => ({
        uuid: row.id,
        name: row.name,
        createdAt: row.createdAt,
        lastUsedAt: row.lastUsedAt,
      })),
      providers: (await stores.providers.listOfIdentity(identityId)).map((row) => ({
        uuid: row.id,
        name: row.name,
        connectedAt: row.createdAt,
        manages: row.managedAt !== null,
      })),
      sessions: (await stores.sessions.listOpen(identityId, at)).map((row) => ({
        uuid: row.id,
        device: deviceName(row.userAgent),
        network: row.network,
        method: row.method,
        signedInAt: row.createdAt,
        current: row.id === session.id,
      })),
      events: await latestEvents(identityId),
      hasPassword: session.hasPassword,
      hasHostedWallets: await stores.accountData.hasHostedKeys(identityId),
      confirmed: recentProof(session, at) !== undefined,
      confirmWith: await acceptedProofs(stores, session, at),
    }
  }
}
