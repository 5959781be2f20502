/**
 * Decides who may use a passport: its owners (the user who acts as its account, and its creator while still allowed to), its
 * members, who accepted an invitation, and reviewers for its organization. For anyone else it does not exist.
 */
import { Refusal } from '@portico/contracts/errors'
import type { Passport } from '@portico/contracts/passport'
import { isInScope, scopeOf } from '@portico/rules/operator-permissions'
import type { OpenSession } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'
import type { PassportRow } from './passports.store.ts'

export type PassportAccess = Passport['access']

type AccessStores = Pick<
  Stores,
  | 'accounts'
  | 'identityRoles'
  | 'organizationInvitations'
  | 'passportMembers'
  | 'passports'
  | 'wallets'
>

/**
 * The account that a session acts as: its group or wallet, else the default wallet (§7.4). The session may have chosen the group
 * before its wallet was removed from it.
 */
export async function actingAccount(
  { accounts, wallets }: Pick<Stores, 'accounts' | 'wallets'>,
  { chosen, identityId }: OpenSession,
): Promise<{ readonly address: string; readonly isGroup: boolean } | undefined> {
  if (chosen !== undefined) {
    const { groupPolicyAddress, walletAddress } = chosen
    const group =
      groupPolicyAddress === undefined
        ? undefined
        : await accounts.findAuthorized(walletAddress, groupPolicyAddress)
    return group?.type === 'Group'
      ? { address: group.address, isGroup: true }
      : { address: walletAddress, isGroup: false }
  }
  const own = (await wallets.listByIdentity(identityId)).filter(
    ({ verifiedAt, type }) => verifiedAt !== null && type !== 'PROVENANCE',
  )
  const [newest] = own
    .filter(({ defaultAt }) => defaultAt !== null)
    .toSorted((a, b) => (b.defaultAt ?? 0) - (a.defaultAt ?? 0))
  return newest && { address: newest.address, isGroup: false }
}

/** The user's access to a passport; undefined if the user may not use it. */
async function accessTo(
  stores: AccessStores,
  passport: PassportRow,
  session: OpenSession,
): Promise<PassportAccess | undefined> {
  const { identityId } = session
  const account = await actingAccount(stores, session)
  if (account?.address === passport.ownerWalletAddress) return 'owner'
  const mayAct = await mayActAs(stores, passport, identityId)
  const isCreator = passport.creatorId === identityId
  if (isCreator && mayAct) return 'owner'
  if (await stores.passportMembers.isMember(passport.id, identityId)) return 'member'
  // Reviewers cannot review their own passports, even while acting as another account, or before accepting a membership.
  if (isCreator || mayAct) return undefined
  const { ownerWalletAddress } = passport
  const invited = await stores.organizationInvitations.listWallets(identityId, ownerWalletAddress)
  if (invited.length > 0) return undefined
  const { organizationCode } = passport
  const grants = await stores.identityRoles.listGrants(identityId)
  return isInScope(scopeOf(grants, 'passports.review'), organizationCode) ? 'reviewer' : undefined
}

/** Whether an identity owns the passport's wallet, or one that signs for its group. */
async function mayActAs(
  { accounts, wallets }: Pick<Stores, 'accounts' | 'wallets'>,
  { ownerWalletAddress: address, structureType }: PassportRow,
  identityId: string,
): Promise<boolean> {
  if (structureType === 'INDIVIDUAL') {
    const wallet = await wallets.find(identityId, address)
    return wallet !== undefined && wallet.verifiedAt !== null && wallet.convertedAt === null
  }
  const authorized = await accounts.listByIdentity(identityId)
  return authorized.some((each) => each.address === address && each.type === 'Group')
}

export interface AccessiblePassport {
  readonly passport: PassportRow
  readonly access: PassportAccess
}

/** The passport with this ID, or else that of the account; undefined if the user may not use it. */
export async function findAccessible(
  stores: AccessStores,
  passportUuid: string | undefined,
  session: OpenSession,
): Promise<AccessiblePassport | undefined> {
  const found = await findOfUser(stores, passportUuid, session)
  if (found === undefined || session.operator === undefined) return found
  // An operator who views the person's pages sees the passports of the organizations in their roles.
  const grants = await stores.identityRoles.listGrants(session.operator.id)
  const scope = scopeOf(grants, 'people.impersonate')
  return isInScope(scope, found.passport.organizationCode) ? found : undefined
}

async function findOfUser(
  stores: AccessStores,
  passportUuid: string | undefined,
  session: OpenSession,
): Promise<AccessiblePassport | undefined> {
  if (passportUuid === undefined) {
    const account = await actingAccount(stores, session)
    const own = account && (await stores.passports.findByOwner(account.address))
    return own && { passport: own, access: 'owner' }
  }
  const passport = await stores.passports.find(passportUuid)
  const access = passport && (await accessTo(stores, passport, session))
  return passport && access && { passport, access }
}

/**
 * Locks a passport for a change, in a transaction. A member who is removed concurrently can change nothing afterwards.
 *
 * @throws Refusal - `not-found` if the user's access is not in `allowed`
 */
export async function lockAccessible(
  stores: AccessStores,
  passportUuid: string,
  { session, allowed }: { session: OpenSession; allowed: readonly PassportAccess[] },
): Promise<PassportRow> {
  const passport = await stores.passports.findForUpdate(passportUuid)
  const access = passport && (await accessTo(stores, passport, session))
  if (passport === undefined || access === undefined || !allowed.includes(access)) {
    throw new Refusal('not-found')
  }
  return passport
}
