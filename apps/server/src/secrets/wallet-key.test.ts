import { randomBytes } from 'node:crypto'
import { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf } from '@portico/keys/signature'
import { expect, test } from 'vitest'
import { vault as openVault } from './vault.ts'
import { makeWalletKey, networkOfPrefix, openWalletKey } from './wallet-key.ts'

const WORDS =
  'bleak alpha bunker give message direct powder general issue awesome animal ice entry parade invest sausage tragic away nuclear gaze learn during crew benefit'

const aVault = () => openVault([randomBytes(32).toString('base64')])

test('2.6 a hosted key has the published address of its recovery words on each network', async () => {
  const vault = aVault()
  const at = async (prefix: 'pb' | 'tp') =>
    (await makeWalletKey(vault, networkOfPrefix(prefix), WORDS)).address
  expect(await at('tp')).toBe('tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh')
  expect(await at('pb')).toBe('pb1cq8ywkta634qd0gfj9c2yq3q9rd73qtyq5ujec')
})

test('9 a stored key opens with the vault that wrapped it and does not reveal its words', async () => {
  const vault = aVault()
  const stored = await makeWalletKey(vault, NETWORKS.testnet)
  const key = await openWalletKey(vault, NETWORKS.testnet, stored)
  expect(Buffer.from(publicKeyOf(key)).toString('base64')).toBe(stored.publicKey)
  expect(stored.wrapped).toMatch(/^[\w.-]+$/)
  await expect(openWalletKey(aVault(), NETWORKS.testnet, stored)).rejects.toThrow(/MASTER_KEY/)
})

test('9 a key stored under another account’s address does not open', async () => {
  const vault = aVault()
  const [one, other] = [
    await makeWalletKey(vault, NETWORKS.testnet),
    await makeWalletKey(vault, NETWORKS.testnet),
  ]
  const swapped = { address: one.address, wrapped: other.wrapped }
  await expect(openWalletKey(vault, NETWORKS.testnet, swapped)).rejects.toThrow(/does not belong/)
})
