import { MAX_ORGANIZATION_MEMBERS } from '@portico/contracts/limits'
import { decodeAddress } from '@portico/keys/address'
import { isSameAddress } from './bech32.ts'
import type { FieldError } from './field-errors.ts'

/** A wallet account's address is the hash of its key, of 20 bytes; that of a group or a module has 32. */
const KEY_ADDRESS_BYTES = 20

/** The address field of a member of a new organization. `others` are the members before it. */
export function memberAddressError(
  address: string,
  { others, prefix }: { readonly others: readonly string[]; readonly prefix: string },
): FieldError {
  const text = address.trim()
  if (text === '') return "Please enter the member's address."
  const decoded = decodeAddress(text)
  if (decoded === undefined) {
    return 'This is not a valid address. Compare it with the one you were given.'
  }
  if (decoded.prefix !== prefix) {
    return `This address belongs to another network. Addresses on yours begin with ${prefix}1.`
  }
  // Groups have longer addresses than keys. No one could vote for a group.
  if (decoded.bytes.length !== KEY_ADDRESS_BYTES) {
    return "This is the address of an organization. Please enter a person's wallet account."
  }
  return others.some((other) => isSameAddress(other.trim(), text))
    ? 'This address is already a member.'
    : undefined
}

/** Why an organization cannot have these members: addresses with the controlling wallet first. */
export function membershipError(
  addresses: readonly string[],
  { threshold, prefix }: { readonly threshold: number; readonly prefix: string },
): FieldError {
  if (addresses.length > MAX_ORGANIZATION_MEMBERS) {
    return `An organization has at most ${MAX_ORGANIZATION_MEMBERS} members.`
  }
  for (const [index, address] of addresses.entries()) {
    const error = memberAddressError(address, { others: addresses.slice(0, index), prefix })
    if (error !== undefined) return error
  }
  return threshold > addresses.length
    ? 'More members would have to agree than the organization has.'
    : undefined
}
