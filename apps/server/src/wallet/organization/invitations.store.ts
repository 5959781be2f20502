import { type Insertable, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'

/**
 * Where a waiting invitation is listed: those of people who are in an organization that the person joined, then those of people
 * of the same lender. Strangers, of whom there can be any number, cannot displace them. Invitations without a known creator are
 * from before limits outlived the creators.
 */
const RANKS = { shared: 0, sameLender: 1, other: 2, unknownCreator: 3 } as const

/** The position of an invitation in the list of waiting or declined ones. */
export interface InvitationPosition {
  readonly rank: number
  readonly at: number
  readonly address: string
  readonly walletAddress: string
}

/** Invitations of members to the accounts of their organizations, until they are accepted. */
export function organizationInvitationsStore(database: Database) {
  const ofAccount = (identityId: string, accountAddress: string) =>
    database
      .selectFrom('organizationInvitations')
      .select('walletAddress')
      .where('identityId', '=', identityId)
      .where('accountAddress', '=', accountAddress)

  const ofIdentity = (identityId: string) =>
    database
      .selectFrom('organizationInvitations')
      .innerJoin('accounts', 'accounts.address', 'organizationInvitations.accountAddress')
      .innerJoin('wallets', (join) =>
        join
          .onRef('wallets.address', '=', 'organizationInvitations.walletAddress')
          .onRef('wallets.identityId', '=', 'organizationInvitations.identityId'),
      )
      .select([
        'accounts.address',
        'accounts.name',
        'walletAddress',
        'wallets.name as walletName',
        'organizationInvitations.createdAt',
        'declinedAt',
      ])
      .where('organizationInvitations.identityId', '=', identityId)
      .where('wallets.convertedAt', 'is', null)

  return {
    async insert(invitation: Insertable<Tables['organizationInvitations']>): Promise<boolean> {
      const row = await database
        .insertInto('organizationInvitations')
        .values(invitation)
        .onConflict((conflict) => conflict.columns(['walletAddress', 'accountAddress']).doNothing())
        .returning('walletAddress')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Waiting invitations of an identity by rank, those that wait the longest first. */
    listWaiting: (
      identityId: string,
      { after, limit }: { readonly after: InvitationPosition | undefined; readonly limit: number },
    ) =>
      database
        .selectFrom(
          ofIdentity(identityId)
            .select(rankFor(identityId).as('rank'))
            .where('declinedAt', 'is', null)
            .as('waiting'),
        )
        .selectAll()
        .$if(after !== undefined, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(
              refTuple('rank', 'createdAt', 'address', 'walletAddress'),
              '>',
              tuple(
                after?.rank ?? 0,
                after?.at ?? 0,
                after?.address ?? '',
                after?.walletAddress ?? '',
              ),
            ),
          ),
        )
        .orderBy('rank')
        .orderBy('createdAt')
        .orderBy('address')
        .orderBy('walletAddress')
        .limit(limit)
        .execute(),

    /** Declined invitations of an identity, the last declined first. */
    listDeclined: (
      identityId: string,
      { after, limit }: { readonly after: InvitationPosition | undefined; readonly limit: number },
    ) =>
      database
        .selectFrom(ofIdentity(identityId).where('declinedAt', 'is not', null).as('declined'))
        .selectAll()
        .$if(after !== undefined, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(
              refTuple('declinedAt', 'address', 'walletAddress'),
              '<',
              tuple(after?.at ?? 0, after?.address ?? '', after?.walletAddress ?? ''),
            ),
          ),
        )
        .orderBy('declinedAt', 'desc')
        .orderBy('address', 'desc')
        .orderBy('walletAddress', 'desc')
        .limit(limit)
        .execute(),

    /** All invitations of an identity, to compare them with the chain. */
    listPairs: (identityId: string) =>
      database
        .selectFrom('organizationInvitations')
        .select(['walletAddress', 'accountAddress as address', 'declinedAt'])
        .where('identityId', '=', identityId)
        .execute(),

    /** The invited wallets of an identity. */
    async listWallets(identityId: string, accountAddress: string): Promise<string[]> {
      const rows = await ofAccount(identityId, accountAddress).execute()
      return rows.map(({ walletAddress }) => walletAddress)
    },

    /** All invitations to an account. */
    listByAccount: (accountAddress: string) =>
      database
        .selectFrom('organizationInvitations')
        .select(['walletAddress', 'declinedAt'])
        .where('accountAddress', '=', accountAddress)
        .execute(),

    /**
     * The number of an identity's invitations to accounts of one creator: waiting, declined, and accepted since the given time.
     * One statement, because an invitation may be accepted meanwhile.
     */
    async countFrom(creatorId: string, identityId: string, since: number): Promise<number> {
      const invited = database
        .selectFrom('organizationInvitations')
        .innerJoin('accounts', 'accounts.address', 'organizationInvitations.accountAddress')
        .select('accounts.address')
        .where('identityId', '=', identityId)
        .where('accounts.creatorId', '=', creatorId)
      const accepted = database
        .selectFrom('wallets')
        .innerJoin('authorizations', 'authorizations.walletAddress', 'wallets.address')
        .innerJoin('accounts', 'accounts.address', 'authorizations.accountAddress')
        .select('accounts.address')
        .where('wallets.identityId', '=', identityId)
        .where('accounts.creatorId', '=', creatorId)
        .where('authorizations.addedAt', '>', since)
      const { count } = await database
        .selectFrom(invited.unionAll(accepted).as('each'))
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async delete(walletAddress: string, accountAddress: string): Promise<void> {
      await database
        .deleteFrom('organizationInvitations')
        .where('walletAddress', '=', walletAddress)
        .where('accountAddress', '=', accountAddress)
        .execute()
    },

    /** Declines the waiting invitations of an identity to an account. Returns whether there was one. */
    async decline(identityId: string, accountAddress: string, at: number): Promise<boolean> {
      const rows = await database
        .updateTable('organizationInvitations')
        .set({ declinedAt: at })
        .where('identityId', '=', identityId)
        .where('accountAddress', '=', accountAddress)
        .where('declinedAt', 'is', null)
        .returning('walletAddress')
        .execute()
      return rows.length > 0
    },

    /** Moves all invitations of one wallet to another. */
    async updateWallet(fromWallet: string, toWallet: string): Promise<void> {
      await database
        .updateTable('organizationInvitations')
        .set({ walletAddress: toWallet })
        .where('walletAddress', '=', fromWallet)
        .execute()
    },
  }
}

const rankFor = (identityId: string) =>
  sql<number>`case
    when accounts.creator_id is null then ${sql.lit(RANKS.unknownCreator)}
    when exists (
      select 1 from wallets as own
      join authorizations as joined on joined.wallet_address = own.address and joined.type = 'Group'
      join authorizations as shared
        on shared.account_address = joined.account_address and shared.type = 'Group'
      join wallets as theirs on theirs.address = shared.wallet_address
      where own.identity_id = ${identityId} and theirs.identity_id = accounts.creator_id
    ) then ${sql.lit(RANKS.shared)}
    when exists (
      select 1 from identities as person
      join identities as creator on creator.organization_code = person.organization_code
      where person.id = ${identityId} and creator.id = accounts.creator_id
    ) then ${sql.lit(RANKS.sameLender)}
    else ${sql.lit(RANKS.other)} end`
