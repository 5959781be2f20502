import { HDKey } from '@scure/bip32'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import addresses from '../vectors/addresses.json' with { type: 'json' }
import protocol from '../vectors/protocol.json' with { type: 'json' }
import signatures from '../vectors/signatures.json' with { type: 'json' }
import { addressOf } from './bech32-address.ts'
import { base64Of, bytesOfHex, hexOf } from './bytes.ts'
import { privateKeyAt } from './derivation.ts'
import { seedOfWords } from './mnemonic.ts'
import { accountPath, NETWORKS } from './networks.ts'
import { publicKeyOf, sign } from './signature.ts'

const seed = () => seedOfWords(protocol.mnemonic)

test.each(addresses.vectors.filter(({ mnemonic }) => mnemonic !== undefined))(
  '3 $hrp at $hdPath is $address',
  async (vector) => {
    const seed = await seedOfWords(vector.mnemonic ?? '', vector.passphrase)
    const privateKey = privateKeyAt(seed, vector.hdPath ?? '')
    const publicKey = publicKeyOf(privateKey)
    expect(addressOf(publicKey, vector.hrp)).toBe(vector.address)
    const written = {
      privateKeyHex: hexOf(privateKey),
      privateKeyB64: base64Of(privateKey),
      publicKeyHex: hexOf(publicKey),
      publicKeyB64: base64Of(publicKey),
    }
    for (const [form, text] of Object.entries(written)) {
      const published = vector[form as keyof typeof written] // The names are those just listed.
      if (published !== undefined) expect(text, form).toBe(published)
    }
  },
)

test.each(protocol.keys)('3 the key at $hdPath is the published one', async (vector) => {
  const privateKey = privateKeyAt(await seed(), vector.hdPath)
  expect(base64Of(privateKey)).toBe(vector.privateKeyB64)
  expect(base64Of(publicKeyOf(privateKey))).toBe(vector.publicKeyB64)
})

test('3 published words give the published key', async () => {
  const { words, hdPath, hrp, address, publicKeyHex } = protocol.entropy
  const publicKey = publicKeyOf(privateKeyAt(await seedOfWords(words), hdPath))
  expect(hexOf(publicKey)).toBe(publicKeyHex)
  expect(addressOf(publicKey, hrp)).toBe(address)
})

test.each(signatures.vectors.filter(({ entropyHex }) => entropyHex !== undefined))(
  '3 a derived key signs as published: $name',
  async (vector) => {
    expect(vector.entropyHex).toBe(protocol.entropy.hex)
    const seed = await seedOfWords(protocol.entropy.words)
    const privateKey = privateKeyAt(seed, vector.hdPath ?? '')
    const [prefix = ''] = vector.address?.split('1', 1) ?? []
    expect(addressOf(publicKeyOf(privateKey), prefix)).toBe(vector.address)
    const message = new TextEncoder().encode(vector.messageUtf8)
    expect(hexOf(sign(privateKey, message))).toBe(vector.signatureHex)
  },
)

test("3 each network's first key has the path of all wallets", async () => {
  const addressAt = async ({ path, prefix }: { path: string; prefix: string }) =>
    addressOf(publicKeyOf(privateKeyAt(await seed(), path)), prefix)
  expect(await addressAt(NETWORKS.mainnet)).toBe('pb1cq8ywkta634qd0gfj9c2yq3q9rd73qtyq5ujec')
  expect(await addressAt(NETWORKS.testnet)).toBe('tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh')
  for (const { path, coinType } of Object.values(NETWORKS)) {
    expect(path).toMatch(new RegExp(`^m/44'/${coinType}'/`))
  }
})

test('3 further accounts replace the last index of the path, hardened only where the first one is', async () => {
  expect(accountPath(NETWORKS.testnet, 0)).toBe(NETWORKS.testnet.path)
  expect(accountPath(NETWORKS.testnet, 12)).toBe("m/44'/1'/0'/0/12'")
  expect(accountPath(NETWORKS.mainnet, 12)).toBe("m/44'/505'/0'/0/12")
  // The published keys of one phrase on a third network, where the last index is not hardened either.
  const published = addresses.vectors.filter(({ hdPath }) => hdPath?.startsWith("m/44'/118'"))
  expect(published).toHaveLength(3)
  for (const [index, vector] of published.entries()) {
    const path = accountPath({ path: "m/44'/118'/0'/0/0" }, index)
    expect(path).toBe(vector.hdPath)
    const seed = await seedOfWords(vector.mnemonic ?? '', vector.passphrase)
    const publicKey = publicKeyOf(privateKeyAt(seed, path))
    expect(addressOf(publicKey, vector.hrp)).toBe(vector.address)
  }
})

test.each(['', '44', 'M/0', "m'/0", 'm/', 'm/x', 'm/-1', "m/0''/1", 'm/2147483648', 'm/0/'])(
  '3 there is no key at %j',
  async (path) => {
    const refusal = expect.objectContaining({ code: 'path-invalid' })
    expect(() => privateKeyAt(new Uint8Array(64), path)).toThrow(refusal)
  },
)

test('3 the largest index has a key, hardened or not', () => {
  const keys = ['m/2147483647', "m/2147483647'"].map((path) =>
    hexOf(privateKeyAt(new Uint8Array(64), path)),
  )
  expect(new Set(keys).size).toBe(2)
})

test.each([0, 15, 65])('3 a seed of %i bytes is refused', (length) => {
  const refusal = expect.objectContaining({ code: 'seed-invalid' })
  expect(() => privateKeyAt(new Uint8Array(length), 'm')).toThrow(refusal)
})

test('3 keys are those of another implementation of BIP-32, for any seed and path', () => {
  const aSeed = fc.uint8Array({ minLength: 16, maxLength: 64 })
  const aStep = fc.tuple(fc.nat({ max: 2 ** 31 - 1 }), fc.constantFrom('', "'"))
  fc.assert(
    fc.property(aSeed, fc.array(aStep, { maxLength: 5 }), (seed, steps) => {
      const path = ['m', ...steps.map((step) => step.join(''))].join('/')
      const theirs = HDKey.fromMasterSeed(seed).derive(path).privateKey ?? new Uint8Array()
      expect(hexOf(privateKeyAt(seed, path))).toBe(hexOf(theirs))
    }),
    { numRuns: 200 },
  )
})

test('3 any path gives a key or a refusal', () => {
  fc.assert(
    fc.property(fc.string(), (path) => {
      const refusal = expect.objectContaining({ code: 'path-invalid' })
      if (path !== 'm') expect(() => privateKeyAt(new Uint8Array(64), path)).toThrow(refusal)
    }),
  )
  expect(bytesOfHex(hexOf(privateKeyAt(new Uint8Array(64), 'm')))).toHaveLength(32)
})
