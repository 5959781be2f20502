import { createHash, randomBytes } from 'node:crypto'
import type { Organizations } from '../brands/brands.ts'
import type { Clock } from '../clock.ts'
import { hashAnswer } from '../secrets/answers.ts'
import { type HashWait, hashPassword } from '../secrets/password-hash.ts'
import { recoveryCodeHash } from '../secrets/recovery-codes.ts'
import { TOTP_ALIAS } from '../secrets/totp.ts'
import type { Vault } from '../secrets/vault.ts'
import { makeWalletKey, type Network, type WrappedWalletKey } from '../secrets/wallet-key.ts'
import type { AllStores, Stores } from '../stores.ts'
import {
  ALDER,
  DEMONSTRATION_PEOPLE,
  type DemonstrationFactors,
  type DemonstrationOrganization,
  type DemonstrationWallet,
} from './people.ts'

/** The address that a chain derives for the policy of its first group. It belongs to no key. */
const GROUP_POLICY: Readonly<Record<Network['prefix'], string>> = {
  pb: 'pb1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzsk2zpj4',
  tp: 'tp1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzserjkkf',
}

/** A wallet with its address, and with its key if hosted. */
interface PreparedWallet {
  readonly wallet: DemonstrationWallet
  readonly address: string
  readonly key: WrappedWalletKey | undefined
  /** The organizations it signs for, with their account addresses. */
  readonly organizations: readonly (DemonstrationOrganization & { readonly address: string })[]
}

/** Cached, because hashing takes the most time and several servers in one process may seed the same accounts. */
const hashes = new Map<string, Promise<string>>()

function hashOnce(
  secret: string,
  hash: (secret: string, wait: HashWait) => Promise<string>,
): Promise<string> {
  const key = `${hash.name} ${secret}`
  const known =
    hashes.get(key) ?? hash(secret, { client: { network: 'seed', hasLeft: false }, line: 'others' })
  hashes.set(key, known)
  return known
}

/** Adds the demonstration accounts that do not exist yet; existing ones are not changed. */
export async function seedPeople(deps: {
  readonly stores: AllStores
  readonly organizations: Organizations
  readonly vault: Vault
  readonly clock: Clock
  readonly network: Network
}): Promise<void> {
  const { stores, vault, clock, network } = deps
  const { orgCode } = deps.organizations.defaultOrganization
  for (const person of DEMONSTRATION_PEOPLE) {
    const { email, password, organizationCode = orgCode, factors } = person
    // The first login creates the account.
    if (person.provider !== undefined && person.hadAccount !== true) continue
    if (await stores.identities.findByEmail(email)) continue
    const at = clock()
    const passwordHash = password === undefined ? null : await hashOnce(password, hashPassword)
    const answers = await hashAnswers(factors)
    const prepared = await prepareWallets(person.wallets, { vault, network })
    await stores.atomically(async (transaction) => {
      const added = await transaction.identities.insert({
        email,
        organizationCode,
        at,
        profileType: person.profileType ?? 'CUSTOMER',
        passwordHash,
        passwordExpiredAt: person.passwordExpired ? at : null,
        lockedAt: person.locked ? at : null,
        loginRedirect: person.loginRedirect ?? null,
        emailVerifiedAt: at,
      })
      if (added === undefined) return
      await addWallets(transaction, prepared, { identityId: added.id, at })
      if (person.operator !== undefined) {
        const grant = { identityId: added.id, ...person.operator, createdAt: at }
        await transaction.identityRoles.insert(grant)
      }
      if (factors === undefined) return
      await addFactors(transaction, { identityId: added.id, factors, vault, at })
      if (answers.length > 0) await transaction.securityAnswers.replace(added.id, answers, at)
    })
  }
}

/** Hashing is slow, so it runs before the transaction. */
function hashAnswers({ answers = [] }: DemonstrationFactors = {}) {
  return Promise.all(
    answers.map(async ({ questionUuid, answer }) => ({
      questionId: questionUuid,
      answerHash: await hashOnce(answer, hashAnswer),
    })),
  )
}

async function addFactors(
  { identities, totp, recoveryCodes }: Stores,
  account: { identityId: string; factors: DemonstrationFactors; vault: Vault; at: number },
): Promise<void> {
  const { identityId, factors, vault, at } = account
  const alias = (type: 'Phone' | 'TOTP', value: string) =>
    identities.insertAlias({ identityId, type, value, verifiedAt: at, at })
  if (factors.email) await identities.updateEmailFactor(identityId, at)
  if (factors.phone !== undefined) await alias('Phone', factors.phone)
  if (factors.totpSecret !== undefined) {
    const pendingSecret = vault.wrap('totp', factors.totpSecret)
    await totp.upsertPending(identityId, pendingSecret)
    await totp.consumePending({ identityId, pendingSecret, step: 0, at })
    await alias('TOTP', TOTP_ALIAS)
  }
  if (factors.recoveryCodes !== undefined) {
    const hashes = factors.recoveryCodes.map((code) => recoveryCodeHash(identityId, code))
    await recoveryCodes.replace(identityId, hashes, at)
  }
}

/** Creates the keys of an account's wallets. This is slow, so it runs before the transaction. */
function prepareWallets(
  wallets: readonly DemonstrationWallet[] = [],
  { vault, network }: { readonly vault: Vault; readonly network: Network },
): Promise<PreparedWallet[]> {
  return Promise.all(
    wallets.map(async (wallet) => {
      const organizations = await withAddresses(wallet.organizations ?? [], network)
      const words = wallet.type === 'FIGURE' ? undefined : wallet.words
      const key = await makeWalletKey(vault, network, words)
      const hostedKey = wallet.type === 'FIGURE' ? key : undefined
      return { wallet, organizations, address: key.address, key: hostedKey }
    }),
  )
}

/** Stores prepared wallets and the organizations they sign for. */
async function addWallets(
  { wallets, hostedKeys, accounts }: Stores,
  prepared: readonly PreparedWallet[],
  { identityId, at }: { identityId: string; at: number },
): Promise<void> {
  for (const [index, { wallet, address, key, organizations }] of prepared.entries()) {
    const { name, type } = wallet
    await wallets.insert({
      identityId,
      address,
      name,
      type,
      defaultAt: null,
      convertedAt: null,
      createdAt: at + index,
    })
    if (wallet.type !== 'SELF_CUSTODY' || wallet.verified === true)
      await wallets.insertOwner(address, identityId, at)
    if (key !== undefined) {
      const { publicKey, wrapped } = key
      await hostedKeys.insert({ address, publicKey, wrapped, createdAt: at })
    }
    for (const organization of organizations) {
      const { address: accountAddress, type: authorization } = organization
      // Another member may have been added with it before.
      const account = { address: accountAddress, name: organization.name, createdAt: at }
      await accounts.insertUnlessExists(account)
      await accounts.insertAuthorization({
        walletAddress: address,
        accountAddress,
        type: authorization,
        at,
      })
    }
  }
}

function withAddresses(
  organizations: readonly DemonstrationOrganization[],
  network: Network,
): Promise<PreparedWallet['organizations']> {
  return Promise.all(
    organizations.map(async (organization) => ({
      ...organization,
      address: await organizationAddress(organization, network),
    })),
  )
}

async function organizationAddress(
  { name, type }: DemonstrationOrganization,
  network: Network,
): Promise<string> {
  if (type !== 'Group') return randomAddress(network)
  if (name !== ALDER.name) return GROUP_POLICY[network.prefix]
  return alderAddress(network)
}

/**
 * The address of the organization with several members: the same for each of them, and none that the chain derives,
 * which may already belong to a group that a user created.
 */
export async function alderAddress({ prefix }: Pick<Network, 'prefix'>): Promise<string> {
  const { encodeAddress } = await import('@portico/keys/address')
  return encodeAddress({ prefix, bytes: createHash('sha256').update(ALDER.name).digest() })
}

async function randomAddress({ prefix }: Network): Promise<string> {
  const { addressOf } = await import('@portico/keys/address')
  const { publicKeyOf } = await import('@portico/keys/signature')
  return addressOf(publicKeyOf(randomBytes(32)), prefix)
}
