import { decodeAddress } from '@portico/keys/address'
import { isSameAddress } from './bech32.ts'
import type { FieldError } from './field-errors.ts'

/** One hash is a billion nhash, the unit in which the chain counts. */
const HASH_DECIMALS = 9
const AMOUNT = /^(\d{1,12})?(?:\.(\d*))?$/
/**
 * A number with thousands separators. Any other comma may be meant as a decimal separator: '0,500', '1234,567' and
 * '1.000,500' are valid amounts in other countries.
 */
const SEPARATED = /^[1-9]\d{0,2}(?:,\d{3})+(?=\.|$)/
/** A node's maximum. */
const MAX_MEMO_BYTES = 256

/** Converts an amount of hash, such as '25' or '1,000.5', to nhash; undefined if it is not a positive amount. */
export function nhashOf(amount: string): bigint | undefined {
  const [, whole = '', fraction = ''] = AMOUNT.exec(withoutSeparators(amount)) ?? []
  if (fraction.length > HASH_DECIMALS) return undefined
  const nhash = BigInt(`${whole}${fraction.padEnd(HASH_DECIMALS, '0')}`)
  return nhash > 0n ? nhash : undefined
}

/**
 * The amount field of a transfer. `available` is the balance in nhash, if it is known, and `fee` what the account needs for the network
 * fee, or 1 if that is not known.
 */
export function amountError(amount: string, available: bigint | undefined, fee = 0n): FieldError {
  if (amount.trim() === '') return 'Please enter an amount.'
  const [, fraction = ''] = withoutSeparators(amount).split('.')
  if (/^\d*$/.test(fraction) && fraction.length > HASH_DECIMALS) {
    return 'An amount has at most nine digits after the point.'
  }
  const nhash = nhashOf(amount)
  if (nhash === undefined) return 'Please enter an amount above zero, such as 25 or 0.5.'
  if (available === undefined || nhash + fee <= available) return undefined
  return nhash > available
    ? 'This is more than the account has.'
    : 'This leaves too little for the network fee. Max leaves enough.'
}

/** The most that an account can send, in nhash. The fee depends on the recipient and the memo, so a tenth is added to it. */
export function maximumAmount(available: bigint, fee: bigint): bigint {
  const rest = available - fee - fee / 10n
  return rest > 0n ? rest : 0n
}

/** The recipient field of a transfer. `prefix` is the address prefix of the sender's network. */
export function recipientError(
  recipient: string,
  { sender, prefix }: { readonly sender: string; readonly prefix: string },
): FieldError {
  const address = recipient.trim()
  if (address === '') return "Please enter the recipient's address."
  const decoded = decodeAddress(address)
  if (decoded === undefined) {
    return 'This is not a valid address. Compare it with the one you were given.'
  }
  if (decoded.prefix !== prefix) {
    return `This address belongs to another network. Addresses on yours begin with ${prefix}1.`
  }
  return isSameAddress(address, sender) ? 'This is the address you send from.' : undefined
}

/** The memo field of a transfer. Nodes count bytes, and most non-Latin letters take more than one. */
export function memoError(memo: string): FieldError {
  return new TextEncoder().encode(memo.trim()).length > MAX_MEMO_BYTES
    ? 'This memo is too long for the network. Please shorten it.'
    : undefined
}

function withoutSeparators(amount: string): string {
  return amount.trim().replace(SEPARATED, (whole) => whole.replaceAll(',', ''))
}
