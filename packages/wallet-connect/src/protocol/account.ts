/**
 * The account a wallet offers (protocol 7), in the object form of current wallets or the array form of old ones.
 * `address` is always the individual's; whoever acts for a group says so in `representedGroupPolicy`.
 */
import * as z from 'zod/mini'
import { catch as otherwise } from 'zod/mini'
import { fieldsIn } from './fields.ts'

const text = otherwise(z.string(), '')

const WalletInfo = z.object({
  id: z.optional(otherwise(z.optional(z.union([z.string(), z.number()])), undefined)),
  name: z.optional(otherwise(z.optional(z.string()), undefined)),
  /** `mainNet` or `testNet`; old extensions write the word `coin`. */
  coin: z.optional(otherwise(z.optional(z.string()), undefined)),
})

/** What a wallet calls the account. */
export type WalletInfo = Readonly<z.output<typeof WalletInfo>>

const WalletAttribute = z.looseObject({ name: text, type: text })

/** Something the chain says about the account; `value` may be any JSON. */
export type WalletAttribute = Readonly<z.output<typeof WalletAttribute>>

// Every field may be missing; without an address it is no group (the public library gives `{}` for none).
const GroupPolicy = z.looseObject({ address: z.string().check(z.minLength(1)) })

/** The group that is acted for; all that the wallet said about it is kept. */
export type GroupPolicy = Readonly<z.output<typeof GroupPolicy>>

const WalletAccount = z.object({
  address: text,
  /** Compressed key, base64 of either alphabet. */
  publicKey: text,
  jwt: text,
  walletInfo: otherwise(WalletInfo, {}),
  attributes: otherwise(z.array(WalletAttribute), []),
  representedGroupPolicy: otherwise(z.nullable(GroupPolicy), null),
})

/** The account of a session, in one form whatever the wallet sent. */
export type WalletAccount = Readonly<z.output<typeof WalletAccount>>

/** Reads the accounts of an approval or update; only the first counts. What is missing is empty, never a failure. */
export function parseAccounts(accounts: unknown): WalletAccount {
  const [first, publicKey, jwt] = Array.isArray(accounts) ? (accounts as unknown[]) : []
  return WalletAccount.parse(
    typeof first === 'string' ? { address: first, publicKey, jwt } : fieldsIn(first),
  )
}
