/**
 * The account a wallet offers (protocol 7), in the object form of current wallets or the array form of old ones.
 * `address` is always the individual's; a wallet that acts for a group names it in `representedGroupPolicy`.
 */
import * as z from 'zod/mini'
import { fieldsIn } from './fields.ts'

const text = z.catch(z.string(), '')

const WalletInfo = z.object({
  id: z.optional(z.catch(z.optional(z.union([z.string(), z.number()])), undefined)),
  name: z.optional(z.catch(z.optional(z.string()), undefined)),
  /** `mainNet` or `testNet`; old extensions write the word `coin`. */
  coin: z.optional(z.catch(z.optional(z.string()), undefined)),
})

/** The wallet's own name for the account. */
export type WalletInfo = Readonly<z.output<typeof WalletInfo>>

const WalletAttribute = z.looseObject({ name: text, type: text })

/** An on-chain attribute of the account; `value` may be any JSON. */
export type WalletAttribute = Readonly<z.output<typeof WalletAttribute>>

// An object without an address is not a group: the public library sends `{}` when there is none.
const GroupPolicy = z.looseObject({ address: z.string().check(z.minLength(1)) })

/** The group the wallet acts for, with every field the wallet sent. */
export type GroupPolicy = Readonly<z.output<typeof GroupPolicy>>

const WalletAccount = z.object({
  address: text,
  /** Compressed key, base64 of either alphabet. */
  publicKey: text,
  jwt: text,
  walletInfo: z.catch(WalletInfo, {}),
  attributes: z.catch(z.array(WalletAttribute), []),
  representedGroupPolicy: z.catch(z.nullable(GroupPolicy), null),
})

/** The account of a session, normalized from either form. */
export type WalletAccount = Readonly<z.output<typeof WalletAccount>>

/** Reads the accounts of an approval or update. Only the first one counts. Missing fields become empty; nothing throws. */
export function parseAccounts(accounts: unknown): WalletAccount {
  const [first, publicKey, jwt] = Array.isArray(accounts) ? (accounts as unknown[]) : []
  return WalletAccount.parse(
    typeof first === 'string' ? { address: first, publicKey, jwt } : fieldsIn(first),
  )
}
