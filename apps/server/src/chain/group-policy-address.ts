import { createHash } from 'node:crypto'
import type { Address } from '@portico/keys/address'

/** The table of the group module that numbers policies. */
const POLICY_TABLE = 0x20

/** The address of a group's policy, which chains derive from its number (ADR-28): no key belongs to it. */
export async function groupPolicyAddress(number: number, prefix: string): Promise<Address> {
  const { encodeAddress } = await import('@portico/keys/address')
  const counted = Buffer.alloc(8)
  counted.writeBigUInt64BE(BigInt(number))
  const table = derived(
    Buffer.from('module'),
    Buffer.from(`group\0${String.fromCharCode(POLICY_TABLE)}`),
  )
  return encodeAddress({ prefix, bytes: derived(table, counted) })
}

/** The address of a part of the chain itself, such as the one that gathers fees. */
export async function moduleAddress(name: string, prefix: string): Promise<Address> {
  const { encodeAddress } = await import('@portico/keys/address')
  const bytes = createHash('sha256').update(name).digest().subarray(0, 20)
  return encodeAddress({ prefix, bytes })
}

function derived(type: Uint8Array, key: Uint8Array): Buffer {
  const typed = createHash('sha256').update(type).digest()
  return createHash('sha256').update(typed).update(key).digest()
}
