/** A wallet on a device in memory, for tests and the gallery. It signs nothing. */
import { Refusal } from '@portico/contracts/errors'
import {
  type ApprovalPrompt,
  type Decision,
  decisionOf,
  type PromptAnswer,
} from '../approval-prompt.ts'
import type {
  ConnectedSite,
  DeviceKeyKeeper,
  DeviceRequestSource,
  HistoryEntry,
  IdleMinutes,
} from '../device-wallet.ts'
import type { PendingApproval, WalletAccount } from '../key-keeper.ts'
import type { DeviceEnvironment } from './environment.ts'

interface FakeVault {
  readonly passphrase: string
  readonly words: string
}

/** The initial state of the device. */
export interface FakeDevice {
  readonly vault?: FakeVault
  readonly isLocked?: boolean
  readonly hasPasskey?: boolean
  readonly retryAt?: number
  /** Whether the stored vault cannot be read, or what it contains once it is unlocked. */
  readonly damaged?: 'vault' | 'content'
  readonly isFromNewerVersion?: boolean
  readonly accounts?: readonly WalletAccount[]
  readonly sites?: readonly ConnectedSite[]
  readonly history?: readonly HistoryEntry[]
  readonly prompts?: readonly ApprovalPrompt[]
  /** What each approval shows. */
  readonly words?: PendingApproval['words']
}

/** After this many wrong passphrases, the next attempt is delayed. */
const ATTEMPTS = 3
const DELAY_MS = 30_000

export function fakeDevice(initial: FakeDevice = {}) {
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  let vault = initial.vault
  let isLocked = initial.isLocked ?? false
  let hasPasskey = initial.hasPasskey ?? false
  let idleMinutes: IdleMinutes = 15
  let retryAt = initial.retryAt ?? null
  let wrongAttempts = 0
  let accounts = initial.accounts ?? []
  let sites = initial.sites ?? []
  let prompts = initial.prompts ?? []
  let decided: Decision | undefined
  const answers: { promptId: string; result: PromptAnswer }[] = []

  function check(passphrase: string): void {
    if (retryAt !== null && retryAt > Date.now()) throw new Refusal('too-many-attempts')
    if (passphrase === vault?.passphrase) {
      wrongAttempts = 0
      retryAt = null
      return
    }
    wrongAttempts += 1
    if (wrongAttempts >= ATTEMPTS) retryAt = Date.now() + DELAY_MS
    throw new Refusal('passphrase-wrong')
  }

  function account(name: string): WalletAccount {
    const address = `tp1${String(accounts.length).repeat(38)}`
    return { name, address, publicKey: '', verified: false, groups: [] }
  }

  const keeper: DeviceKeyKeeper = {
    subscribe,
    async vault() {
      if (vault === undefined) return { step: 'empty' }
      if (initial.damaged === 'vault') throw new Refusal('vault-damaged')
      if (initial.isFromNewerVersion) throw new Refusal('vault-from-newer-version')
      return isLocked
        ? { step: 'locked', hasPasskey, retryAt }
        : { step: 'unlocked', hasPasskey, idleMinutes }
    },
    async createVault({ words, passphrase, accountName }) {
      vault = { words, passphrase }
      accounts = [account(accountName)]
      notify()
    },
    async unlock(secret) {
      if (secret !== 'passkey') check(secret.passphrase)
      if (initial.damaged === 'content') throw new Refusal('vault-damaged')
      isLocked = false
      notify()
    },
    async lock() {
      isLocked = true
      notify()
    },
    async revealWords(passphrase) {
      check(passphrase)
      return vault?.words ?? ''
    },
    async changePassphrase({ current, next }) {
      check(current)
      vault = { words: vault?.words ?? '', passphrase: next }
    },
    async addPasskey(passphrase) {
      check(passphrase)
      hasPasskey = true
      notify()
    },
    async removePasskey() {
      hasPasskey = false
      notify()
    },
    async setIdleMinutes(minutes) {
      idleMinutes = minutes
      notify()
    },
    extend: async () => undefined,
    async removeVault() {
      vault = undefined
      accounts = []
      isLocked = false
      notify()
    },
    accounts: async () => accounts,
    async create({ name }) {
      accounts = [...accounts, account(name)]
      notify()
    },
    async rename({ address, name }) {
      accounts = accounts.map((each) => (each.address === address ? { ...each, name } : each))
      notify()
    },
    async requestApproval(_, { promptId }) {
      if (isLocked) throw new Refusal('wallet-locked')
      return {
        approvalId: promptId,
        words: initial.words ?? { kind: 'text', text: 'I agree' },
        proof: null,
      }
    },
    async approve() {
      if (isLocked) throw new Refusal('wallet-locked')
      return { kind: 'sign', signature: '00' }
    },
    reject: async () => undefined,
    resultOf: async () => undefined,
    history: async () => initial.history ?? [],
  }

  const requests: DeviceRequestSource = {
    subscribe,
    prompt() {
      const [first] = prompts
      return first && { ...first, waiting: prompts.length }
    },
    waiting: () => prompts.length,
    decided: () => decided,
    pageReturn: () => undefined,
    commit: async () => true,
    release: () => undefined,
    answer(promptId, result) {
      answers.push({ promptId, result })
      const [first, ...others] = prompts
      if (first?.id !== promptId) return
      decided = others.length === 0 ? decisionOf(first, result) : undefined
      prompts = others
      notify()
    },
    sites: () => sites,
    connect: async () => undefined,
    async disconnect(siteId) {
      sites = sites.filter(({ id }) => id !== siteId)
      notify()
    },
  }

  const environment: DeviceEnvironment = {
    keeper,
    requests,
    visibility: {
      settled: async () => undefined,
      disturbed: () => new Promise(() => undefined),
    },
    copy: async () => true,
    clock: Date.now,
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    reportError: (error) => {
      throw error
    },
    version: '1.0.0',
    network: 'Test network',
    arePasskeysSupported: true,
  }

  return {
    environment,
    answers,
    /** A new request arrives. */
    request(prompt: ApprovalPrompt) {
      prompts = [...prompts, prompt]
      notify()
    },
    /** The page withdraws its request. */
    withdraw(promptId: string) {
      prompts = prompts.filter(({ id }) => id !== promptId)
      decided = { kind: 'sign', how: 'withdrawn' }
      notify()
    },
    vault: () => vault,
  }
}
