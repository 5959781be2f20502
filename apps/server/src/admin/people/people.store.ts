import type { Scope } from '@portico/rules/operator-permissions'
import { sql } from 'kysely'
import { READS_OF_PERSON } from '../../audit/audit-events.ts'
import type { Database } from '../../database/database.ts'
import type { AliasRow } from '../../identity/identities.store.ts'
import { type Cursor, isAfter } from '../keyset.ts'
import { inScope } from '../scope.ts'
import { withPart } from './person-parts.ts'

/** The search term; undefined lists everyone. */
export type PersonKey =
  | { readonly email: string }
  | { readonly id: string }
  | { readonly phone: string }
  | { readonly address: string }

interface PersonPage {
  readonly scope: Scope
  readonly key: PersonKey | undefined
  readonly after: Cursor | undefined
  readonly limit: number
}

/** `part` is the beginning of a part of the address or name. */
type PersonPartPage = Omit<PersonPage, 'key'> & { readonly part: string }

const MESSAGES_SHOWN = 50
const EVENTS_SHOWN = 50
const DEVICES_SHOWN = 50

/** The address and phone numbers of a person. An unverified number may belong to someone else. */
export const recipientsOf = (email: string, aliases: readonly AliasRow[]): readonly string[] => [
  email,
  ...aliases
    .filter(({ type, verifiedAt }) => type === 'Phone' && verifiedAt !== null)
    .map(({ value }) => value),
]

const byAge = (a: Cursor, b: Cursor) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)

/** Operators' queries about people, and changes that the identity stores do not offer. */
export function peopleStore(database: Database) {
  const page = ({ key, after, limit }: Omit<PersonPage, 'scope'>) =>
    database
      .selectFrom('identities')
      .select([
        'identities.id',
        'email',
        'givenName',
        'familyName',
        'organizationCode',
        'profileType',
        'lockedAt',
        'createdAt',
      ])
      .$if(key !== undefined && 'email' in key, (query) =>
        query.where('email', '=', key !== undefined && 'email' in key ? key.email : ''),
      )
      .$if(key !== undefined && 'id' in key, (query) =>
        query.where('identities.id', '=', key !== undefined && 'id' in key ? key.id : ''),
      )
      .$if(key !== undefined && 'phone' in key, (query) =>
        query.where('identities.id', 'in', ({ selectFrom }) =>
          selectFrom('aliases')
            .select('aliases.identityId')
            // Only with this literal can the partial index be used.
            .where('type', '=', sql.lit('Phone'))
            .where('value', '=', key !== undefined && 'phone' in key ? key.phone : ''),
        ),
      )
      .$if(key !== undefined && 'address' in key, (query) => {
        const address = key !== undefined && 'address' in key ? key.address : ''
        return query.where('identities.id', 'in', ({ selectFrom }) =>
          selectFrom('wallets')
            .select('wallets.identityId')
            .where('address', '=', address)
            .unionAll(
              selectFrom('wallets')
                .innerJoin('authorizations', 'authorizations.walletAddress', 'wallets.address')
                .select('wallets.identityId')
                .where('accountAddress', '=', address),
            ),
        )
      })
      .where(isAfter(after, 'identities.id'))
      .orderBy('createdAt', 'desc')
      .orderBy('identities.id', 'desc')
      .limit(limit)

  return {
    /** The people in a scope, newest first. */
    async list({ scope, ...rest }: PersonPage) {
      if (scope.all) return page(rest).execute()
      if (rest.key !== undefined) {
        if (scope.organizationCodes.length === 0) return []
        // An expression instead of the column: otherwise SQLite would scan the organization's index instead of the few matches.
        return page(rest)
          .where(({ eb, fn, val }) =>
            eb(fn.coalesce('identities.organizationCode', val('')), 'in', scope.organizationCodes),
          )
          .execute()
      }
      // An index has this order for one organization but not across several.
      const lists = await Promise.all(
        scope.organizationCodes.map((code) =>
          page(rest).where('identities.organizationCode', '=', code).execute(),
        ),
      )
      return lists.flat().toSorted(byAge).slice(0, rest.limit)
    },

    /** The people in a scope with a part of their address or name that begins with a text, newest first. */
    async listByPart({ scope, part, after, limit }: PersonPartPage) {
      if (!scope.all && scope.organizationCodes.length === 0) return []
      return database
        .selectFrom(withPart(database, part).as('matches'))
        .selectAll()
        .$if(!scope.all, (query) =>
          // An expression, as for a key.
          query.where(({ eb, fn, val }) =>
            eb(
              fn.coalesce('organizationCode', val('')),
              'in',
              scope.all ? [] : scope.organizationCodes,
            ),
          ),
        )
        .where(isAfter(after))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },

    listDevices: (identityId: string) =>
      database
        .selectFrom('devices')
        .select(['firstSeenAt', 'lastSeenAt', 'trustedUntil'])
        .where('identityId', '=', identityId)
        .orderBy('lastSeenAt', 'desc')
        .limit(DEVICES_SHOWN)
        .execute(),

    /** Messages to an address or phone number, newest first, without their content. */
    async listMessages(recipients: readonly string[]) {
      const lists = await Promise.all(
        recipients.map((recipient) =>
          database
            .selectFrom('messages')
            .select(['id', 'channel', 'kind', 'createdAt', 'sentAt', 'droppedAt', 'attempts'])
            .where('recipient', '=', recipient)
            .orderBy('createdAt', 'desc')
            .limit(MESSAGES_SHOWN)
            .execute(),
        ),
      )
      return lists
        .flat()
        .toSorted((a, b) => b.createdAt - a.createdAt)
        .slice(0, MESSAGES_SHOWN)
    },

    /** A person's latest events on pages in the scope. */
    listEvents: (identityId: string, scope: Scope) =>
      database
        .selectFrom('auditEvents')
        .leftJoin('identities as operators', 'operators.id', 'auditEvents.operatorId')
        .leftJoin('serviceTokens', 'serviceTokens.id', 'auditEvents.operatorId')
        .select([
          'auditEvents.createdAt as at',
          'kind',
          'network',
          'details',
          'auditEvents.operatorId',
          'operators.email as operatorEmail',
          'serviceTokens.name as tokenName',
        ])
        .where('auditEvents.identityId', '=', identityId)
        .where('auditEvents.kind', 'not in', READS_OF_PERSON)
        .where(inScope(scope, 'auditEvents.organizationCode'))
        .orderBy('auditEvents.createdAt', 'desc')
        .orderBy('auditEvents.id')
        .limit(EVENTS_SHOWN)
        .execute(),

    /** Unlocks an identity. Returns whether it was locked. */
    async unlock(id: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('identities')
        .set(({ eb }) => ({
          lockedAt: null,
          updatedAt: at,
          credentialVersion: eb('credentialVersion', '+', 1),
        }))
        .where('id', '=', id)
        .where('lockedAt', 'is not', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Returns `false` if the identity was already in the organization. */
    async updateOrganization(id: string, organizationCode: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('identities')
        .set({ organizationCode, updatedAt: at })
        .where('id', '=', id)
        .where('organizationCode', '!=', organizationCode)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Removes all passkeys. Returns whether there were any. */
    async deletePasskeys(identityId: string): Promise<boolean> {
      const rows = await database
        .deleteFrom('passkeys')
        .where('identityId', '=', identityId)
        .returning('id')
        .execute()
      return rows.length > 0
    },

    async deleteQuestions(identityId: string): Promise<boolean> {
      const rows = await database
        .deleteFrom('securityAnswers')
        .where('identityId', '=', identityId)
        .returning('questionId')
        .execute()
      return rows.length > 0
    },

    async deleteRecoveryCodes(identityId: string): Promise<boolean> {
      const rows = await database
        .deleteFrom('recoveryCodes')
        .where('identityId', '=', identityId)
        .returning('codeHash')
        .execute()
      return rows.length > 0
    },
  }
}
