import { type Chain, openChain } from '@portico/chain-client/chain'
import { Refusal } from '@portico/contracts/errors'
import { NETWORKS } from '@portico/keys/networks'
import { memoryStore } from '@portico/wallet-kit/memory-store'
import { expect, test } from 'vitest'
import { openDeviceKeyKeeper } from './device-key-keeper.ts'
import type { Passkeys } from './passkey.ts'
import { memoryKeyStore } from './unlocked-key.ts'
import { openVaultKeeper, type VaultKeeperDeps } from './vault-keeper.ts'
import { derivePassphraseKey, newPassphraseKey } from './window-keeper.ts'

const WORDS =
  'dance net yard verb mosquito face cliff close pig diesel popular shuffle scrap minimum honey broccoli scatter shrug squirrel jump hello rally achieve later'
const PASSPHRASE = 'correct horse battery'
const MINUTE_MS = 60_000

function device() {
  const values = new Map<string, string>()
  let now = Date.UTC(2026, 10, 23)
  const store = memoryStore(values)
  let unlockedKeyStore = memoryKeyStore()
  let chain: Chain = openChain(undefined)
  return {
    values,
    store,
    open: (deps: Partial<VaultKeeperDeps> = {}) =>
      openDeviceKeyKeeper({
        store,
        unlockedKeyStore,
        chain,
        network: NETWORKS.testnet,
        issuer: 'portico.example',
        clock: () => now,
        ...deps,
      }),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    /** The memory is lost. */
    restart: () => {
      unlockedKeyStore = memoryKeyStore()
    },
    setChain: (next: Chain) => {
      chain = next
    },
    now: () => now,
  }
}

async function aWallet() {
  const it = device()
  const wallet = it.open()
  await wallet.createVault({ words: WORDS, passphrase: PASSPHRASE, accountName: 'Savings' })
  return { ...it, wallet }
}

const refusal = (code: string) => expect.objectContaining({ code })
const code = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  )

test('3 restored words give the published address, and further accounts the next keys of the path', async () => {
  const { wallet } = await aWallet()
  await wallet.create({ name: 'Second' })
  await wallet.create({ name: 'Third' })
  const accounts = await wallet.accounts()
  expect(accounts.map(({ name }) => name)).toEqual(['Savings', 'Second', 'Third'])
  expect(accounts[0]?.address).toBe('tp1k3zh5ak5xcx0pfq3lynnw0lejnhhrlgfwy33xl')
  expect(new Set(accounts.map(({ address }) => address)).size).toBe(3)
})

test('accounts created in two windows at once are different', async () => {
  const { open, wallet } = await aWallet()
  await Promise.all([wallet.create({ name: 'One' }), open().create({ name: 'Other' })])
  const accounts = await wallet.accounts()
  expect(accounts).toHaveLength(3)
  expect(new Set(accounts.map(({ address }) => address)).size).toBe(3)
})

test('a wallet is never overwritten, not even by two windows at once or when it is damaged', async () => {
  const { open, values } = device()
  const create = (accountName: string) =>
    code(open().createVault({ words: WORDS, passphrase: PASSPHRASE, accountName }))
  const outcomes = await Promise.all([create('One'), create('Two'), create('Three')])
  expect(outcomes.toSorted()).toEqual(['done', 'vault-exists', 'vault-exists'])
  values.set('vault', '{"version":1')
  expect(await create('Four')).toBe('vault-exists')
  expect(values.get('vault')).toBe('{"version":1')
  const wallet = open()
  await expect(wallet.vault()).rejects.toEqual(refusal('vault-damaged'))
  await expect(wallet.unlock({ passphrase: PASSPHRASE })).rejects.toEqual(refusal('vault-damaged'))
  await wallet.removeVault()
  expect(await wallet.vault()).toEqual({ step: 'empty' })
})

test.each([
  ['recovery-words-invalid', { words: 'abandon '.repeat(12) }],
  ['recovery-words-invalid', { words: WORDS.split(' ').slice(0, 23).join(' ') }],
  ['recovery-words-invalid', { words: '' }],
  ['passphrase-too-short', { passphrase: 'nine char' }],
  ['account-name-required', { accountName: ' ' }],
  ['invalid-request', { accountName: 'n'.repeat(61) }],
  ['invalid-request', { accountName: 'Sav\u202eings' }],
])('%s: a vault is not created with %j', async (expected, change) => {
  const { open, values } = device()
  const vault = { words: WORDS, passphrase: PASSPHRASE, accountName: 'Savings', ...change }
  expect(await code(open().createVault(vault))).toBe(expected)
  expect(values.size).toBe(0)
})

test.each([
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic avoid letter always',
  ' Letter ADVICE cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic avoid\nletter always ',
])('12 to 24 words are restored, however they were typed', async (words) => {
  const wallet = device().open()
  await wallet.createVault({ words, passphrase: PASSPHRASE, accountName: 'Savings' })
  const normalized = words.trim().toLowerCase().split(/\s+/).join(' ')
  expect(await wallet.revealWords(PASSPHRASE)).toBe(normalized)
})

test('nothing is available while the wallet is locked; after unlocking everything is, also after a restart', async () => {
  const { open, wallet, restart, values } = await aWallet()
  expect(await wallet.vault()).toEqual({ step: 'unlocked', hasPasskey: false, idleMinutes: 15 })
  await wallet.lock()
  const locked = { step: 'locked', hasPasskey: false, retryAt: null }
  expect(await wallet.vault()).toEqual(locked)
  const prompt = { promptId: 'site:1', origin: undefined }
  const address = 'tp1k3zh5ak5xcx0pfq3lynnw0lejnhhrlgfwy33xl'
  const request = { kind: 'sign', address, messageHex: '00' } as const
  for (const call of [
    () => wallet.accounts(),
    () => wallet.history(),
    () => wallet.create({ name: 'Second' }),
    () => wallet.rename({ address: 'tp1', name: 'Second' }),
    () => wallet.requestApproval(request, prompt),
    () => wallet.approve('any'),
    () => wallet.reject('any'),
    () => wallet.resultOf('site:1'),
    () => wallet.removePasskey(),
    () => wallet.setIdleMinutes(60),
  ]) {
    expect(await code(call()), call.toString()).toBe('wallet-locked')
  }
  await wallet.unlock({ passphrase: PASSPHRASE })
  restart()
  const restarted = open()
  expect(await restarted.vault()).toEqual(locked)
  await restarted.unlock({ passphrase: PASSPHRASE })
  expect(await restarted.accounts()).toMatchObject([{ name: 'Savings' }])
  expect([...values.keys()]).toEqual(['vault'])
})

test('the stored vault contains no readable word, address or name', async () => {
  const { wallet, values } = await aWallet()
  const [account] = await wallet.accounts()
  const request = {
    kind: 'sign',
    address: account?.address ?? '',
    messageHex: '68656c6c6f',
  } as const
  const prompt = { promptId: 'site:1', origin: 'https://lender.example' }
  const { approvalId } = await wallet.requestApproval(request, prompt)
  await wallet.approve(approvalId)
  const text = [...values].flat().join(' ').toLowerCase()
  for (const secret of [
    ...WORDS.split(' ').filter((word) => word.length > 4),
    'tp1k3zh5',
    'savings',
    'lender.example',
    '68656c6c6f',
    'site:1',
    approvalId,
  ]) {
    expect(text).not.toContain(secret.toLowerCase())
  }
})

test('the idle time is 15 minutes by default, counts from the last input, and outlives a restart', async () => {
  const { wallet, open, pass, restart } = await aWallet()
  expect(await wallet.vault()).toMatchObject({ idleMinutes: 15 })
  await wallet.setIdleMinutes(1)
  pass(MINUTE_MS - 1)
  await wallet.extend()
  pass(MINUTE_MS - 1)
  expect(await wallet.vault()).toMatchObject({ step: 'unlocked', idleMinutes: 1 })
  pass(1)
  expect(await wallet.vault()).toMatchObject({ step: 'locked' })
  restart()
  await open().unlock({ passphrase: PASSPHRASE })
  expect(await open().vault()).toMatchObject({ step: 'unlocked', idleMinutes: 1 })
})

test('of 20 wrong passphrases at once, five are checked, and the fifth starts the wait', async () => {
  const { wallet, open, restart, pass, now } = await aWallet()
  await wallet.lock()
  const attempt = () => code(open().unlock({ passphrase: 'wrong passphrase' }))
  const outcomes = await Promise.all(Array.from({ length: 20 }, attempt))
  expect(outcomes.filter((outcome) => outcome === 'passphrase-wrong')).toHaveLength(5)
  expect(outcomes.filter((outcome) => outcome === 'too-many-attempts')).toHaveLength(15)

  // Neither a restart nor the right passphrase shortens the wait.
  restart()
  const error = await open()
    .unlock({ passphrase: PASSPHRASE })
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'too-many-attempts', retryAfterS: 30 })
  expect(await open().vault()).toMatchObject({ step: 'locked', retryAt: now() + 30_000 })
  pass(30_000)
  expect(await open().vault()).toMatchObject({ retryAt: null })
  await open().unlock({ passphrase: PASSPHRASE })
  expect(await open().vault()).toMatchObject({ step: 'unlocked' })
})

test('keys that a window did not derive from the stored parameters are counted too', async () => {
  const { store, open } = await aWallet()
  await open().lock()
  const keeper = openVaultKeeper({
    store,
    unlockedKeyStore: memoryKeyStore(),
    chain: openChain(undefined),
    network: NETWORKS.testnet,
    issuer: 'portico.example',
  })
  const derivation = await keeper.passphraseDerivation()
  const right = await derivePassphraseKey(PASSPHRASE, derivation)
  const [first = '', ...others] = right.key
  const wrong = { derivation, key: [first === 'A' ? 'B' : 'A', ...others].join('') }
  // The right passphrase with another salt.
  const other = await newPassphraseKey(PASSPHRASE)
  const attempts = [wrong, other, { ...right, key: other.key }, wrong, wrong, wrong]
  const outcomes = await Promise.all(
    attempts.map((passphraseKey) => code(keeper.unlock({ passphraseKey }))),
  )
  expect(outcomes.toSorted()).toEqual([...Array(5).fill('passphrase-wrong'), 'too-many-attempts'])
  expect(await code(keeper.unlock({ passphraseKey: right }))).toBe('too-many-attempts')
})

test('the wait doubles to an hour, over restarts, and every use of the passphrase counts', async () => {
  const { open, pass, restart, now } = await aWallet()
  const wrong = 'wrong passphrase'
  const uses = [
    () => open().unlock({ passphrase: wrong }),
    () => open().revealWords(wrong),
    () => open().changePassphrase({ current: wrong, next: 'another passphrase' }),
    () => open({ passkeys: fakePasskeys() }).addPasskey(wrong),
  ]
  const waits: number[] = []
  for (let attempt = 0; attempt < 14; attempt += 1) {
    expect(await code(uses[attempt % uses.length]?.() ?? Promise.resolve())).toBe(
      'passphrase-wrong',
    )
    restart()
    const state = await open().vault()
    const wait = state.step === 'locked' ? (state.retryAt ?? now()) - now() : Number.NaN
    waits.push(wait / 1000)
    pass(wait)
  }
  expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
  await open().unlock({ passphrase: PASSPHRASE })
  expect(await code(open().unlock({ passphrase: wrong }))).toBe('passphrase-wrong')
  expect(await code(open().unlock({ passphrase: PASSPHRASE }))).toBe('done')
})

test('a clock set back neither shortens the wait nor makes it endless', async () => {
  const { wallet, open, pass, now } = await aWallet()
  await wallet.lock()
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await code(open().unlock({ passphrase: 'wrong passphrase' }))
  }
  pass(-365 * 24 * 60 * MINUTE_MS)
  expect(await open().vault()).toMatchObject({ retryAt: now() + 30_000 })
  pass(29_999)
  expect(await code(open().unlock({ passphrase: PASSPHRASE }))).toBe('too-many-attempts')
  pass(1)
  expect(await code(open().unlock({ passphrase: PASSPHRASE }))).toBe('done')
})

test('a clock set forward while the wallet runs does not end the wait, in one window or in two', async () => {
  const { wallet, open, pass } = await aWallet()
  await wallet.lock()
  let running = 0
  const uptime = () => running
  const windows = [open({ uptime }), open({ uptime })] as const
  const attempt = (passphrase: string, window = windows[0]) => code(window.unlock({ passphrase }))
  for (let count = 0; count < 5; count += 1) await attempt('wrong passphrase')
  for (const jump of [60, 24 * 60, 365 * 24 * 60]) {
    pass(jump * MINUTE_MS)
    for (const window of windows)
      expect(await attempt(PASSPHRASE, window)).toBe('too-many-attempts')
  }
  // A new process reads the end of the wait from storage.
  expect(await code(open().unlock({ passphrase: PASSPHRASE }))).toBe('too-many-attempts')
  running += 30_000
  pass(30_000)
  expect(await attempt(PASSPHRASE, windows[1])).toBe('done')
})

test('a wait ends as planned if the clock was corrected by seconds, or set forward after it', async () => {
  const { wallet, open, pass } = await aWallet()
  await wallet.lock()
  let running = 0
  const window = open({ uptime: () => running })
  for (let count = 0; count < 5; count += 1) {
    await code(window.unlock({ passphrase: 'wrong passphrase' }))
  }
  running += 30_000
  pass(32_000)
  expect(await window.vault()).toMatchObject({ retryAt: null })
  pass(24 * 60 * MINUTE_MS)
  expect(await window.vault()).toMatchObject({ retryAt: null })
  expect(await code(window.unlock({ passphrase: PASSPHRASE }))).toBe('done')
})

test.each(['', '{}', '{"wrong":-5,"countedAt":0,"retryAt":0}', 'null'])(
  'a damaged count %j gives no free attempts',
  async (damaged) => {
    const { open, values } = await aWallet()
    values.set('vault-attempts', damaged)
    const attempt = () => code(open().unlock({ passphrase: 'wrong passphrase' }))
    expect([await attempt(), await attempt()]).toEqual(['passphrase-wrong', 'too-many-attempts'])
  },
)

test('changing the passphrase is one write, after which only the new one opens the vault', async () => {
  const { wallet, values, store } = await aWallet()
  const before = values.get('vault') ?? ''
  const next = 'a completely different one'
  expect(await code(wallet.changePassphrase({ current: PASSPHRASE, next: 'short' }))).toBe(
    'passphrase-too-short',
  )
  let writes = 0
  store.subscribe('vault', () => {
    writes += 1
  })
  await wallet.changePassphrase({ current: PASSPHRASE, next })
  expect(writes).toBe(1)
  const parts = (text: string) => JSON.parse(text) as Record<string, unknown>
  const after = parts(values.get('vault') ?? '')
  expect(after['content']).toEqual(parts(before)['content'])
  expect(after['passphrase']).not.toEqual(parts(before)['passphrase'])
  await wallet.lock()
  expect(await code(wallet.unlock({ passphrase: PASSPHRASE }))).toBe('passphrase-wrong')
  expect(await code(wallet.unlock({ passphrase: next }))).toBe('done')
})

test('of two windows that change the passphrase at once, one succeeds', async () => {
  const { open } = await aWallet()
  const change = (next: string) => code(open().changePassphrase({ current: PASSPHRASE, next }))
  const outcomes = await Promise.all([change('first passphrase'), change('second passphrase')])
  expect(outcomes.toSorted()).toEqual(['done', 'passphrase-wrong'])
})

test('a removed vault leaves nothing; a window that was unlocked is locked, also for its successor', async () => {
  const { wallet, open, values, store } = await aWallet()
  const other = openDeviceKeyKeeper({
    store,
    unlockedKeyStore: memoryKeyStore(),
    chain: openChain(undefined),
    network: NETWORKS.testnet,
    issuer: 'portico.example',
  })
  await other.unlock({ passphrase: PASSPHRASE })
  await wallet.removeVault()
  expect(values.size).toBe(0)
  expect(await other.vault()).toEqual({ step: 'empty' })
  expect(await code(other.accounts())).toBe('vault-missing')
  await open().createVault({ words: WORDS, passphrase: 'another passphrase', accountName: 'New' })
  expect(await other.vault()).toMatchObject({ step: 'locked' })
  expect(await code(other.accounts())).toBe('wallet-locked')
})

test('5 an account is renamed under the rules of hosted accounts', async () => {
  const { wallet } = await aWallet()
  const [{ address } = { address: '' }] = await wallet.accounts()
  await wallet.rename({ address, name: '  Everyday ' })
  expect(await wallet.accounts()).toMatchObject([{ name: 'Everyday' }])
  expect(await code(wallet.rename({ address, name: '' }))).toBe('account-name-required')
  expect(await code(wallet.rename({ address: 'tp1other', name: 'x' }))).toBe(
    'account-not-authorized',
  )
})

test('the listeners of every window are called when the wallet is locked or its accounts change', async () => {
  const { wallet, open, restart } = await aWallet()
  let calls = 0
  const unsubscribe = open().subscribe(() => {
    calls += 1
  })
  await wallet.create({ name: 'Second' })
  expect(calls).toBe(1)
  unsubscribe()
  restart()
  await wallet.create({ name: 'Third' })
  expect(calls).toBe(1)
  wallet.subscribe(() => {
    calls += 1
  })
  await wallet.lock()
  expect(calls).toBe(2)
})

/** Passkeys that derive the same secret each time, unless `derive` says otherwise. */
function fakePasskeys(derive: (use: number) => number = () => 1): Passkeys {
  let uses = 0
  return {
    create: async () => new Uint8Array(16).fill(8),
    async evaluate(_, salt) {
      uses += 1
      return salt.map((byte) => byte ^ derive(uses))
    },
  }
}

test('a passkey unlocks the vault too, also while a wrong passphrase has to wait, and can be removed', async () => {
  const { open } = await aWallet()
  const wallet = open({ passkeys: fakePasskeys() })
  expect(await code(wallet.unlock('passkey'))).toBe('passkey-refused')
  await wallet.addPasskey(PASSPHRASE)
  await wallet.lock()
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await code(wallet.unlock({ passphrase: 'wrong passphrase' }))
  }
  expect(await wallet.vault()).toMatchObject({ step: 'locked', hasPasskey: true })
  await wallet.unlock('passkey')
  expect(await wallet.accounts()).toMatchObject([{ name: 'Savings' }])
  await wallet.removePasskey()
  expect(await wallet.vault()).toMatchObject({ step: 'unlocked', hasPasskey: false })
  await wallet.lock()
  expect(await code(wallet.unlock('passkey'))).toBe('passkey-refused')
  expect(await code(wallet.unlock({ passphrase: PASSPHRASE }))).toBe('done')
})

test('a passkey that derives another secret each time is not stored, nor one without PRF', async () => {
  const { open, values } = await aWallet()
  const before = values.get('vault')
  const refusing: Passkeys = {
    ...fakePasskeys(),
    create: async () => {
      throw new Refusal('passkey-unsupported')
    },
  }
  for (const passkeys of [fakePasskeys((use) => use), refusing, undefined]) {
    expect(await code(open({ passkeys }).addPasskey(PASSPHRASE))).toBe('passkey-unsupported')
  }
  expect(values.get('vault')).toBe(before)
})

test('a passkey with a changed secret is refused; the passphrase remains', async () => {
  const { open } = await aWallet()
  await open({ passkeys: fakePasskeys() }).addPasskey(PASSPHRASE)
  const wallet = open({ passkeys: fakePasskeys(() => 2) })
  await wallet.lock()
  expect(await code(wallet.unlock('passkey'))).toBe('passkey-refused')
  expect(await code(wallet.unlock({ passphrase: PASSPHRASE }))).toBe('done')
})

const GROUP = {
  id: '7',
  admin: 'tp1admin',
  version: 1,
  metadata: '{"name":"Larch\\u202e Partners"}',
}

test('6 a stranger’s group with many accounts, or one that cannot be read, hides no other group', async () => {
  const { open, setChain } = await aWallet()
  const groups = [
    { ...GROUP, id: '9', admin: 'tp1damaged' },
    { ...GROUP, id: '8', admin: 'tp1stranger' },
    { ...GROUP, admin: 'tp1larch' },
  ]
  setChain({
    ...openChain(undefined),
    groupsOfMember: async () => groups,
    policiesOfGroup: async (id) => {
      if (id === '9') throw new Refusal('chain-faulty')
      const addresses =
        id === '7' ? ['tp1other', 'tp1larch'] : Array.from({ length: 100 }, (_, n) => `tp1s${n}`)
      return addresses.map((address) => ({ address, admin: address }) as never)
    },
  })
  const [account] = await open().accounts()
  expect(account?.groups).toHaveLength(50)
  expect(account?.groups.slice(0, 4).map(({ address }) => address)).toEqual([
    'tp1s0',
    'tp1larch',
    'tp1s1',
    'tp1other',
  ])
})

test('6 a group’s name that is too long ends with an ellipsis', async () => {
  const { open, setChain } = await aWallet()
  const names = ['L'.repeat(60), 'L'.repeat(61)]
  setChain({
    ...openChain(undefined),
    groupsOfMember: async () =>
      names.map((name, id) => ({ ...GROUP, id: `${id}`, metadata: JSON.stringify({ name }) })),
    policiesOfGroup: async (id) => [{ address: `tp1${id}`, admin: `tp1${id}` } as never],
  })
  const [account] = await open().accounts()
  expect(account?.groups.map(({ name }) => name)).toEqual(['L'.repeat(60), `${'L'.repeat(60)}…`])
})

test('6 groups come from the chain, and the last known ones are shown while it cannot be reached', async () => {
  const { open, setChain, wallet } = await aWallet()
  setChain({
    ...openChain(undefined),
    groupsOfMember: async () => [GROUP],
    policiesOfGroup: async () => [{ address: 'tp1larch', admin: 'tp1larch' } as never],
  })
  const groups = [{ name: 'Larch\\u{202e} Partners', address: 'tp1larch' }]
  expect(await open().accounts()).toMatchObject([{ groups }])
  expect(await wallet.accounts()).toMatchObject([{ groups }])
  setChain({
    ...openChain(undefined),
    // A node that never responds.
    groupsOfMember: () => new Promise(() => undefined),
  })
  expect(await open().accounts()).toMatchObject([{ groups }])
})
