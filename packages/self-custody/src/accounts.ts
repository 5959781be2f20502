/** The accounts of a recovery phrase, and the groups they may act for. */
import type { Chain, ChainGroup } from '@portico/chain-client/chain'
import {
  emptyIfUnreadable,
  groupsToRead,
  interleave,
  MAX_GROUPS,
  ownPolicyFirst,
} from '@portico/chain-client/groups-of-member'
import { nameInMetadata } from '@portico/chain-client/proposals'
import { Refusal } from '@portico/contracts/errors'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { MAX_ACCOUNT_NAME_LENGTH } from '@portico/contracts/limits'
import { AccountName } from '@portico/contracts/wallet'
import { addressOf } from '@portico/keys/address'
import { base64Of } from '@portico/keys/bytes'
import { privateKeyAt } from '@portico/keys/derivation'
import { accountPath } from '@portico/keys/networks'
import { seedOfValidWords } from '@portico/keys/seed'
import { publicKeyOf } from '@portico/keys/signature'
import { cutText } from './cut-text.ts'
import type { StoredAccount } from './vault-content.ts'

export interface Network {
  readonly prefix: string
  readonly chainId: string
  readonly path: string
}

export async function deriveAccount(
  { words, index }: { readonly words: string; readonly index: number },
  name: string,
  network: Network,
): Promise<StoredAccount> {
  const privateKey = await privateKeyOf(words, index, network)
  const publicKey = publicKeyOf(privateKey)
  privateKey.fill(0)
  const address = addressOf(publicKey, network.prefix)
  return { index, name, address, publicKey: base64Of(publicKey), groups: [] }
}

/** The private key of an account. The caller overwrites it after use. */
export async function privateKeyOf(
  words: string,
  index: number,
  network: Network,
): Promise<Uint8Array> {
  const seed = await seedOfValidWords(words)
  const privateKey = privateKeyAt(seed, accountPath(network, index))
  seed.fill(0)
  return privateKey
}

/** §5 Wallet account name: required. @throws Refusal - `account-name-required`, `invalid-request` */
export function requireName(text: string): string {
  const name = text.trim()
  if (name === '') throw new Refusal('account-name-required')
  const parsed = AccountName.safeParse(name)
  if (parsed.success) return name
  throw new Refusal('invalid-request', {
    errors: parsed.error.issues.map(({ message }) => message),
  })
}

/** The groups that an account is a member of, by the addresses of their policies. */
export async function groupsOf(chain: Chain, address: string): Promise<StoredAccount['groups']> {
  const groups = groupsToRead(await chain.groupsOfMember(address))
  const accounts = await Promise.all(
    groups.map((group) =>
      emptyIfUnreadable(
        chain.policiesOfGroup(group.id).then((policies) =>
          ownPolicyFirst(policies, group).map((policy) => ({
            name: nameOf(group),
            address: policy.address,
          })),
        ),
      ),
    ),
  )
  return interleave(accounts.flat(), MAX_GROUPS)
}

/** Anyone can give a group any name. */
function nameOf({ id, metadata }: ChainGroup): string {
  const name = nameInMetadata(metadata) ?? `Group ${id}`
  return cutText(escapeInvisible(name.trim()), MAX_ACCOUNT_NAME_LENGTH)
}
