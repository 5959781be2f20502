import { createHash } from 'node:crypto'
import type { Address } from '@portico/keys/address'

/** The key prefix of the group module's policy sequence. */
const POLICY_SEQUENCE_PREFIX = 0x20

/** Derives the address of a group policy from its number (Cosmos SDK ADR-28). It has no key. */
export async function groupPolicyAddress(number: number, prefix: string): Promise<Address> {
  const { encodeAddress } = await import('@portico/keys/address')
  const counted = Buffer.alloc(8)
  counted.writeBigUInt64BE(BigInt(number))
  const table = deriveAddress(
    Buffer.from('module'),
    Buffer.from(`group\0${String.fromCharCode(POLICY_SEQUENCE_PREFIX)}`),
  )
  return encodeAddress({ prefix, bytes: deriveAddress(table, counted) })
}

/** The address of a module account, such as the fee collector. */
export async function moduleAddress(name: string, prefix: string): Promise<Address> {
  const { encodeAddress } = await import('@portico/keys/address')
  const bytes = createHash('sha256').update(name).digest().subarray(0, 20)
  return encodeAddress({ prefix, bytes })
}

function deriveAddress(type: Uint8Array, key: Uint8Array): Buffer {
  const typed = createHash('sha256').update(type).digest()
  return createHash('sha256').update(typed).update(key).digest()
}
