import { expect, test } from 'vitest'
import {
  createVault,
  importVaultKey,
  openContent,
  readVault,
  type StoredVault,
  sealContent,
  unwrapWithPasskey,
  unwrapWithPassphrase,
  wrapWithPasskey,
  wrapWithPassphrase,
} from './vault.ts'
import { derivePassphraseKey, newPassphraseKey } from './window-keeper.ts'

const CONTENT = JSON.stringify({ words: 'legal winner thank', name: 'Savings', at: 'tp1knsx' })
const PASSPHRASE = 'correct horse battery'
const secret = {
  credentialId: new Uint8Array(16).fill(1),
  prfSalt: new Uint8Array(32).fill(2),
  prfOutput: new Uint8Array(32).fill(3),
}

const aKey = await newPassphraseKey(PASSPHRASE)

/** The data key, as a window unlocks the vault with a passphrase. */
const unlocked = async (vault: StoredVault, passphrase: string) =>
  unwrapWithPassphrase(vault, await derivePassphraseKey(passphrase, vault.passphrase.derivation))

async function aVault() {
  const { vault, dataKey } = await createVault(CONTENT, await newPassphraseKey(PASSPHRASE))
  const passkey = await wrapWithPasskey(vault.id, dataKey, secret)
  return { vault: { ...vault, passkey }, dataKey, key: await importVaultKey(vault.id, dataKey) }
}

const stored = (vault: StoredVault) => readVault(JSON.stringify(vault))

test('the key of a new passphrase is stretched with argon2id, 19 MiB and 2 passes', async () => {
  const { vault } = await createVault(CONTENT, aKey)
  expect(vault.passphrase.derivation).toMatchObject({
    algorithm: 'argon2id',
    memoryKiB: 19 * 1024,
    passes: 2,
    lanes: 1,
  })
})

test('a vault opens with its passphrase and with its passkey, after it was stored', async () => {
  const { vault, dataKey } = await aVault()
  const restored = stored(vault)
  const byPassphrase = await unlocked(restored, PASSPHRASE)
  const byPasskey = await unwrapWithPasskey(vault.id, vault.passkey, secret.prfOutput)
  expect(byPassphrase).toEqual(dataKey)
  expect(byPasskey).toEqual(dataKey)
  const key = await importVaultKey(vault.id, dataKey)
  expect(await openContent(key, restored)).toBe(CONTENT)
})

test('the same passphrase typed on another keyboard opens it', async () => {
  const { vault } = await createVault(CONTENT, await newPassphraseKey('café au lait crème'))
  const decomposed = 'café au lait crème'.normalize('NFD')
  expect(await unlocked(vault, decomposed)).toBeDefined()
})

test.each(['correct horse batter', 'correct horse battery ', 'Correct horse battery'])(
  'the passphrase %j does not open it',
  async (passphrase) => {
    const { vault } = await createVault(CONTENT, aKey)
    expect(await unlocked(vault, passphrase)).toBeUndefined()
  },
)

test('an empty passphrase is a wrong one', async () => {
  const { vault } = await createVault(CONTENT, aKey)
  await expect(unlocked(vault, '')).rejects.toMatchObject({ code: 'passphrase-wrong' })
})

test('another data key, another passkey secret and a key of another vault cannot open it', async () => {
  const { vault, dataKey } = await aVault()
  const damaged = expect.objectContaining({ code: 'vault-damaged' })
  const other = await importVaultKey(vault.id, new Uint8Array(32).fill(9))
  await expect(openContent(other, vault)).rejects.toEqual(damaged)
  const elsewhere = await importVaultKey(crypto.randomUUID(), dataKey)
  await expect(openContent(elsewhere, vault)).rejects.toEqual(damaged)
  const wrong = new Uint8Array(32).fill(4)
  expect(await unwrapWithPasskey(vault.id, vault.passkey, wrong)).toBeUndefined()
})

test('encrypting the same content or key twice gives unrelated ciphertexts', async () => {
  const { vault, dataKey, key } = await aVault()
  const again = await sealContent(key, CONTENT)
  expect(again.nonce).not.toBe(vault.content.nonce)
  expect(again.ciphertext).not.toBe(vault.content.ciphertext)
  const rewrapped = await wrapWithPassphrase(vault.id, dataKey, await newPassphraseKey(PASSPHRASE))
  expect(rewrapped.derivation.salt).not.toBe(vault.passphrase.derivation.salt)
  expect(rewrapped.dataKey).not.toEqual(vault.passphrase.dataKey)
})

test('the stored text contains neither the content nor the passphrase', async () => {
  const { vault } = await aVault()
  const text = JSON.stringify(vault)
  for (const part of ['legal', 'winner', 'Savings', 'tp1knsx', ...PASSPHRASE.split(' ')]) {
    expect(text).not.toContain(part)
    expect(text).not.toContain(btoa(part).slice(0, -2))
  }
})

/** Every path to a value of an object. */
function paths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, part]) => paths(part, [...path, name]))
}

function changed(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return tampered(value)
  const object = value as Record<string, unknown> // The paths are those of the object.
  return { ...object, [name]: changed(object[name], rest) }
}

function tampered(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  const text = String(value)
  if (text.includes('-')) return crypto.randomUUID()
  // Another first letter keeps the text canonical base64.
  return `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
}

test('a change of any field is detected', async () => {
  const { vault } = await aVault()
  const opens = async (text: string) => {
    const read = readVault(text)
    const dataKey = await unlocked(read, PASSPHRASE)
    const passkey =
      read.passkey && (await unwrapWithPasskey(read.id, read.passkey, secret.prfOutput))
    if (!dataKey || !passkey) return false
    return (await openContent(await importVaultKey(read.id, dataKey), read)) === CONTENT
  }
  expect(await opens(JSON.stringify(vault))).toBe(true)
  const all = paths(vault)
  expect(all.length).toBeGreaterThan(15)
  for (const path of all) {
    const text = JSON.stringify(changed(vault, path))
    expect(await opens(text).catch(() => false), path.join('.')).toBe(false)
  }
})

test('parts of two vaults cannot be combined, nor a wrapping used as content', async () => {
  const one = await aVault()
  const other = await aVault()
  const mixed = { ...one.vault, passphrase: other.vault.passphrase }
  expect(await unlocked(mixed, PASSPHRASE)).toBeUndefined()
  const moved = { ...one.vault, content: other.vault.content }
  await expect(openContent(one.key, moved)).rejects.toThrow('damaged')
  const swapped = { ...one.vault.passkey, dataKey: one.vault.passphrase.dataKey }
  expect(await unwrapWithPasskey(one.vault.id, swapped, secret.prfOutput)).toBeUndefined()
})

test('damaged storage is refused and never an empty wallet', async () => {
  const { vault } = await aVault()
  const { passphrase } = vault
  const weak = (derivation: object) => ({
    ...vault,
    passphrase: { ...passphrase, derivation: { ...passphrase.derivation, ...derivation } },
  })
  for (const damaged of [
    '',
    'null',
    '{}',
    '[]',
    JSON.stringify(vault).slice(0, -1),
    JSON.stringify({ ...vault, version: 0 }),
    JSON.stringify({ ...vault, version: '2' }),
    JSON.stringify({ ...vault, version: 1.5 }),
    JSON.stringify({ ...vault, extra: 1 }),
    JSON.stringify({ ...vault, content: undefined }),
    // Parameters that would exhaust the memory or the time of the device, or make guessing cheap.
    JSON.stringify(weak({ memoryKiB: 4_000_000 })),
    JSON.stringify(weak({ memoryKiB: 8 })),
    JSON.stringify(weak({ passes: 1_000_000 })),
    JSON.stringify(weak({ passes: 0 })),
    JSON.stringify(weak({ lanes: 255 })),
    JSON.stringify(weak({ salt: 'not base64!' })),
    JSON.stringify(weak({ algorithm: 'none' })),
  ]) {
    const refusal = expect.objectContaining({ code: 'vault-damaged' })
    expect(() => readVault(damaged), damaged.slice(0, 40)).toThrow(refusal)
  }
})

test('a vault of a newer version is not damaged, whatever it contains', async () => {
  const { vault } = await aVault()
  for (const newer of [
    { ...vault, version: 2 },
    { version: 7, sealed: 'unknown' },
  ]) {
    const refusal = expect.objectContaining({ code: 'vault-from-newer-version' })
    expect(() => readVault(JSON.stringify(newer))).toThrow(refusal)
  }
})
