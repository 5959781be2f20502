/**
 * The keeper of a device wallet's vault: one encrypted vault in the device's storage, unlocked by a passphrase's key or by a
 * passkey. All state is in storage, because several windows share it and a worker may be stopped at any moment.
 */
import type { Chain } from '@portico/chain-client/chain'
import { Refusal } from '@portico/contracts/errors'
import { MAX_WALLETS } from '@portico/contracts/limits'
import { bytesOfBase64 } from '@portico/keys/bytes'
import type { DeviceKeyKeeper, DeviceStore } from '@portico/wallet-kit/device-wallet'
import { DEFAULT_IDLE_MINUTES } from '@portico/wallet-kit/device-wallet'
import { deriveAccount, groupsOf, type Network, requireName } from './accounts.ts'
import { deviceApprovals } from './device-approvals.ts'
import type { Passkeys } from './passkey.ts'
import { passphraseAttempts } from './passphrase-attempts.ts'
import type { PassphraseDerivation, PassphraseKey } from './passphrase-key.ts'
import { type UnlockedKeyStore, unlockedKey } from './unlocked-key.ts'
import {
  createVault,
  importVaultKey,
  openContent,
  readVault,
  type StoredVault,
  sealContent,
  unwrapWithPasskey,
  unwrapWithPassphrase,
  type VaultKey,
  wrapWithPasskey,
  wrapWithPassphrase,
} from './vault.ts'
import { type OpenVault, readVaultContent, type VaultContent } from './vault-content.ts'
import { VAULT_KEY } from './vault-key.ts'

/** How long the account list waits for the chain before it shows the last known groups. */
const GROUPS_WAIT_MS = 2000

const PRF_SALT_BYTES = 32

/** A device's key keeper as its windows use it: with keys derived from passphrases and validated recovery words. */
export interface VaultKeeper
  extends Omit<
    DeviceKeyKeeper,
    'createVault' | 'unlock' | 'revealWords' | 'changePassphrase' | 'addPasskey'
  > {
  /** How the key of the vault's passphrase is derived. */
  readonly passphraseDerivation: () => Promise<PassphraseDerivation>
  /** `words` are validated, in lower case and with single spaces. */
  readonly createVault: (vault: {
    readonly words: string
    readonly passphraseKey: PassphraseKey
    readonly accountName: string
  }) => Promise<void>
  readonly unlock: (secret: { readonly passphraseKey: PassphraseKey } | 'passkey') => Promise<void>
  readonly revealWords: (passphraseKey: PassphraseKey) => Promise<string>
  readonly changePassphrase: (change: {
    readonly current: PassphraseKey
    readonly next: PassphraseKey
  }) => Promise<void>
  readonly addPasskey: (passphraseKey: PassphraseKey) => Promise<void>
}

export interface VaultKeeperDeps {
  readonly store: DeviceStore
  readonly unlockedKeyStore: UnlockedKeyStore
  readonly chain: Chain
  readonly network: Network
  /** The issuer of session tokens: the host of the installation. */
  readonly issuer: string
  /** Undefined where passkeys are not available, as in a worker. */
  readonly passkeys?: Passkeys | undefined
  /** Epoch milliseconds. */
  readonly clock?: () => number
  /** Milliseconds since the process started, to detect a clock that is set forward; without it, that is not detected. */
  readonly uptime?: () => number
  readonly pause?: (milliseconds: number) => Promise<void>
}

export function openVaultKeeper({
  store,
  unlockedKeyStore,
  chain,
  network,
  issuer,
  passkeys,
  clock = Date.now,
  uptime = clock,
  pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}: VaultKeeperDeps): VaultKeeper {
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const unlocked = unlockedKey(unlockedKeyStore, clock, notify)
  const attempts = passphraseAttempts(store, { clock, uptime })
  const { refreshOutcomes, ...approvals } = deviceApprovals({
    openVault,
    refreshGroups,
    chain,
    network,
    issuer,
    clock,
    pause,
  })
  let groupsRefresh: Promise<void> | undefined

  /** @throws Refusal - `vault-missing`, `vault-damaged`, `vault-from-newer-version` */
  async function storedVault(): Promise<StoredVault> {
    return vaultIn(await store.read(VAULT_KEY))
  }

  /** @throws Refusal - `wallet-locked`, `vault-missing`, `vault-damaged`, `vault-from-newer-version` */
  async function openVault(): Promise<OpenVault> {
    const { id } = await storedVault()
    const key = await currentKey(id)
    if (key === undefined) throw new Refusal('wallet-locked')
    return {
      read: async () => contentOf(key, await storedVault()),
      change: (change) =>
        changeVault(key.vaultId, async (vault) => {
          const content = await contentOf(key, vault)
          const next = await change(content)
          if (next === content) return vault
          return { ...vault, content: await sealContent(key, JSON.stringify(next)) }
        }),
    }
  }

  /** The key of the unlocked vault; undefined if it is locked. */
  async function currentKey(vaultId: string): Promise<VaultKey | undefined> {
    const current = await unlocked.read()
    if (current === undefined) return undefined
    const key = await importVaultKey(current.vaultId, current.dataKey)
    current.dataKey.fill(0)
    if (current.vaultId === vaultId) return key
    // Another window has removed the vault, and perhaps created a new one.
    await unlocked.clear()
    return undefined
  }

  async function contentOf(key: VaultKey, vault: StoredVault): Promise<VaultContent> {
    if (vault.id !== key.vaultId) throw new Refusal('wallet-locked')
    return readVaultContent(await openContent(key, vault))
  }

  async function changeVault(
    vaultId: string,
    change: (vault: StoredVault) => Promise<StoredVault> | StoredVault,
  ): Promise<void> {
    await store.update(VAULT_KEY, async (text) => {
      const vault = vaultIn(text)
      if (vault.id !== vaultId) throw new Refusal('wallet-locked')
      const next = await change(vault)
      return next === vault ? text : JSON.stringify(next)
    })
  }

  /**
   * The vault and its data key, after a correct passphrase.
   *
   * @throws Refusal - `passphrase-wrong`, `too-many-attempts`
   */
  async function confirmPassphrase(passphraseKey: PassphraseKey) {
    const vault = await storedVault()
    await attempts.count()
    const dataKey = await unwrapWithPassphrase(vault, passphraseKey)
    if (dataKey === undefined) throw new Refusal('passphrase-wrong')
    await attempts.reset()
    return { vault, dataKey }
  }

  /** @throws Refusal - `passkey-refused`, `passkey-unsupported` */
  async function confirmPasskey() {
    const vault = await storedVault()
    if (passkeys === undefined) throw new Refusal('passkey-unsupported')
    if (vault.passkey === null) throw new Refusal('passkey-refused')
    const { credentialId, prfSalt } = vault.passkey.derivation
    const output = await passkeys.evaluate(bytesIn(credentialId), bytesIn(prfSalt))
    const dataKey = await unwrapWithPasskey(vault.id, vault.passkey, output)
    output.fill(0)
    if (dataKey === undefined) throw new Refusal('passkey-refused')
    await attempts.reset()
    return { vault, dataKey }
  }

  async function unlock({
    vault,
    dataKey,
  }: {
    readonly vault: StoredVault
    readonly dataKey: Uint8Array<ArrayBuffer>
  }): Promise<void> {
    const key = await importVaultKey(vault.id, dataKey)
    const { idleMinutes } = await contentOf(key, vault)
    await unlocked.write({ vaultId: vault.id, dataKey, idleMinutes })
    dataKey.fill(0)
    notify()
  }

  /** Reads the groups of all accounts from the chain. If an account's cannot be read, the stored ones are kept. */
  async function readGroups(): Promise<void> {
    const vault = await openVault()
    const { accounts } = await vault.read()
    const found = new Map(
      await Promise.all(
        accounts.map(async ({ address }) => {
          const groups = await groupsOf(chain, address).catch(ignoreRefusal)
          return [address, groups] as const
        }),
      ),
    )
    await vault.change((content) => {
      const next = content.accounts.map((account) => {
        const groups = found.get(account.address) ?? account.groups
        return { ...account, groups: groups.map(({ name, address }) => ({ name, address })) }
      })
      const isSame = JSON.stringify(next) === JSON.stringify(content.accounts)
      return isSame ? content : { ...content, accounts: next }
    })
  }

  function refreshGroups(): Promise<void> {
    groupsRefresh ??= readGroups().finally(() => {
      groupsRefresh = undefined
    })
    return groupsRefresh
  }

  return {
    ...approvals,

    async vault() {
      const text = await store.read(VAULT_KEY)
      if (text === undefined) return { step: 'empty' }
      const { id, passkey } = readVault(text)
      const hasPasskey = passkey !== null
      const current = await unlocked.read()
      current?.dataKey.fill(0)
      return current?.vaultId === id
        ? { step: 'unlocked', hasPasskey, idleMinutes: current.idleMinutes }
        : { step: 'locked', hasPasskey, retryAt: await attempts.retryAt() }
    },

    subscribe(listener) {
      const unsubscribe = store.subscribe(VAULT_KEY, listener)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        unsubscribe()
      }
    },

    passphraseDerivation: async () => (await storedVault()).passphrase.derivation,

    async createVault({ words, passphraseKey, accountName }) {
      if ((await store.read(VAULT_KEY)) !== undefined) throw new Refusal('vault-exists')
      const account = await deriveAccount({ words, index: 0 }, requireName(accountName), network)
      const content: VaultContent = {
        words,
        idleMinutes: DEFAULT_IDLE_MINUTES,
        accounts: [account],
        approvals: [],
        history: [],
      }
      const created = await createVault(JSON.stringify(content), passphraseKey)
      await store.update(VAULT_KEY, (existing) => {
        if (existing !== undefined) throw new Refusal('vault-exists')
        return JSON.stringify(created.vault)
      })
      await unlock(created)
    },

    unlock: async (secret) =>
      unlock(
        secret === 'passkey'
          ? await confirmPasskey()
          : await confirmPassphrase(secret.passphraseKey),
      ),

    async lock() {
      await unlocked.clear()
      notify()
    },

    extend: unlocked.extend,

    async setIdleMinutes(idleMinutes) {
      const vault = await openVault()
      await vault.change((content) => ({ ...content, idleMinutes }))
      const current = await unlocked.read()
      if (current === undefined) return
      await unlocked.write({ ...current, idleMinutes })
      current.dataKey.fill(0)
    },

    async revealWords(passphraseKey) {
      const { vault, dataKey } = await confirmPassphrase(passphraseKey)
      const key = await importVaultKey(vault.id, dataKey)
      dataKey.fill(0)
      return (await contentOf(key, vault)).words
    },

    async changePassphrase({ current, next }) {
      const { vault, dataKey } = await confirmPassphrase(current)
      const passphrase = await wrapWithPassphrase(vault.id, dataKey, next)
      dataKey.fill(0)
      await changeVault(vault.id, (stored) => {
        // Another window has changed it since it was confirmed.
        if (stored.passphrase.dataKey.ciphertext !== vault.passphrase.dataKey.ciphertext) {
          throw new Refusal('passphrase-wrong')
        }
        return { ...stored, passphrase }
      })
    },

    async addPasskey(passphraseKey) {
      if (passkeys === undefined) throw new Refusal('passkey-unsupported')
      const { vault, dataKey } = await confirmPassphrase(passphraseKey)
      const secret = await createProvenPasskey(passkeys, vault.id)
      const passkey = await wrapWithPasskey(vault.id, dataKey, secret)
      dataKey.fill(0)
      secret.prfOutput.fill(0)
      await changeVault(vault.id, (stored) => ({ ...stored, passkey }))
    },

    async removePasskey() {
      await openVault()
      const { id } = await storedVault()
      await changeVault(id, (stored) => ({ ...stored, passkey: null }))
    },

    async removeVault() {
      await unlocked.clear()
      await store.update(VAULT_KEY, () => undefined)
      await attempts.reset()
      notify()
    },

    async accounts() {
      const vault = await openVault()
      // Refused by the chain, or locked in the meantime: the stored groups are shown.
      await Promise.race([refreshGroups().catch(ignoreRefusal), pause(GROUPS_WAIT_MS)])
      const { accounts } = await vault.read()
      return accounts.map(({ name, address, publicKey, groups }) => ({
        name,
        address,
        publicKey,
        verified: true,
        groups,
      }))
    },

    async create({ name, words }) {
      // All accounts of this wallet come from its own recovery words.
      if (words !== undefined) throw new Refusal('invalid-request')
      const required = requireName(name)
      const vault = await openVault()
      await vault.change(async (content) => {
        if (content.accounts.length >= MAX_WALLETS) throw new Refusal('too-many-accounts')
        const index = Math.max(...content.accounts.map((account) => account.index)) + 1
        const account = await deriveAccount({ words: content.words, index }, required, network)
        return { ...content, accounts: [...content.accounts, account] }
      })
    },

    async rename({ address, name }) {
      const required = requireName(name)
      const vault = await openVault()
      await vault.change((content) => {
        if (content.accounts.every((account) => account.address !== address)) {
          throw new Refusal('account-not-authorized')
        }
        const accounts = content.accounts.map((account) =>
          account.address === address ? { ...account, name: required } : account,
        )
        return { ...content, accounts }
      })
    },

    async history() {
      const vault = await openVault()
      const { history } = await vault.read()
      // The listeners read the history again once it has changed. After a failure the next reading tries again.
      refreshOutcomes().catch(() => undefined)
      return history.map((entry) => ({
        ...entry,
        origin: entry.origin ?? undefined,
        proposalId: entry.proposalId ?? undefined,
      }))
    },
  }
}

function vaultIn(text: string | undefined): StoredVault {
  if (text === undefined) throw new Refusal('vault-missing')
  return readVault(text)
}

/**
 * Creates a passkey and verifies that it derives the same secret again: random data encrypted with the first output must
 * decrypt with the second. Some browsers derive a different secret at creation, none at all, or a different one at each use.
 *
 * @throws Refusal - `passkey-unsupported`, `passkey-refused`
 */
async function createProvenPasskey(passkeys: Passkeys, vaultId: string) {
  const prfSalt = crypto.getRandomValues(new Uint8Array(PRF_SALT_BYTES))
  const credentialId = await passkeys.create()
  const first = await passkeys.evaluate(credentialId, prfSalt)
  const text = crypto.getRandomValues(new Uint8Array(PRF_SALT_BYTES))
  const sealed = await wrapWithPasskey(vaultId, text, { credentialId, prfSalt, prfOutput: first })
  first.fill(0)
  const prfOutput = await passkeys.evaluate(credentialId, prfSalt)
  const opened = await unwrapWithPasskey(vaultId, sealed, prfOutput)
  if (opened === undefined || opened.some((byte, index) => byte !== text[index])) {
    throw new Refusal('passkey-unsupported')
  }
  return { credentialId, prfSalt, prfOutput }
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
  return undefined
}

/** The vault's schema has checked the format. */
const bytesIn = (base64: string) => bytesOfBase64(base64) ?? new Uint8Array()
