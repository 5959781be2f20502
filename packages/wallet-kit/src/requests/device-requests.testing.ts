/** A device with a wallet, in a process that can be stopped, and pages that connect to it over an in-memory relay. */

import { Refusal } from '@portico/contracts/errors'
import type { ApprovalRequest, ApprovalResult, Proposed } from '@portico/contracts/hosted-wallet'
import { base64Of, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { NETWORKS } from '@portico/keys/networks'
import { anyBase64 } from '@portico/wallet-connect/protocol'
import { WalletConnectService } from '@portico/wallet-connect/session'
import { fakePorts, quiescence } from '@portico/wallet-connect/testing'
import { accountFromPrivateKey, approvedAccount } from '@portico/wallet-connect/wallet'
import type { PromptAnswer } from '../approval-prompt.ts'
import type { VaultState } from '../device-wallet.ts'
import type { WalletAccount } from '../key-keeper.ts'
import { memoryStore } from '../memory-store.ts'
import {
  type DeviceRequests,
  type DeviceRequestsDeps,
  deviceRequestSource,
} from './device-requests.ts'

const keyOf = (seed: number) =>
  accountFromPrivateKey(new Uint8Array(32).fill(seed), NETWORKS.testnet, 'Everyday')
const KEY = keyOf(1)

/** The wallet's only account. */
export const ACCOUNT: WalletAccount = {
  name: 'Everyday',
  address: KEY.address,
  publicKey: base64Of(KEY.publicKey),
  verified: true,
  groups: [{ name: 'Larch Partners', address: keyOf(2).address }],
}

/** Pages of these tests wait longer than the clock is advanced, so a lost request shows. */
const REQUEST_TIMEOUT_MS = 24 * 60 * 60 * 1000

/** A key keeper that keeps its results, as one on a device does. */
interface FakeKeeper {
  readonly keeper: DeviceRequestsDeps['keeper']
  /** Carries out a prompt's request, once; a repeated call returns the same result. */
  readonly carryOut: (promptId: string, request: ApprovalRequest) => ApprovalResult | Proposed
  /** The number of times each prompt was carried out. */
  readonly carriedOut: ReadonlyMap<string, number>
  readonly become: (step: VaultState['step']) => void
  readonly isLocked: () => boolean
}

function fakeKeeper(now: () => number): FakeKeeper {
  const results = new Map<string, ApprovalResult | Proposed>()
  const carriedOut = new Map<string, number>()
  const listeners = new Set<() => void>()
  let step: VaultState['step'] = 'unlocked'
  const unlocked = () => {
    if (step !== 'unlocked') throw new Refusal(step === 'empty' ? 'vault-missing' : 'wallet-locked')
  }
  return {
    keeper: {
      async accounts() {
        unlocked()
        return [ACCOUNT]
      },
      async resultOf(promptId): Promise<PromptAnswer> {
        unlocked()
        return results.get(promptId)
      },
      subscribe(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      async vault() {
        if (step === 'empty') return { step }
        return step === 'locked'
          ? { step, hasPasskey: false, retryAt: null }
          : { step, hasPasskey: false, idleMinutes: 15 }
      },
    },
    carryOut(promptId, request) {
      unlocked()
      const known = results.get(promptId)
      if (known !== undefined) return known
      const result = resultOf(request, now())
      results.set(promptId, result)
      carriedOut.set(promptId, (carriedOut.get(promptId) ?? 0) + 1)
      return result
    },
    carriedOut,
    isLocked: () => step === 'locked',
    become(next) {
      step = next
      for (const listener of listeners) listener()
    },
  }
}

function resultOf(request: ApprovalRequest, now: number): ApprovalResult | Proposed {
  switch (request.kind) {
    case 'connect':
    case 'switch-group': {
      const { name, address, publicKey, groups } = ACCOUNT
      const group = groups.find((each) => each.address === request.group) ?? null
      const { jwt } = approvedAccount(
        { account: KEY, group: group && { address: group.address } },
        { issuer: 'wallet.example', lifetimeS: 86_400, now },
      )
      return {
        kind: request.kind,
        account: {
          address,
          publicKey,
          jwt,
          walletInfo: { id: address, name, coin: 'testNet' },
          attributes: [],
          representedGroupPolicy: group && {
            address: group.address,
            metadata: { name: group.name },
          },
        },
      }
    }
    case 'sign':
    case 'sign-jwt':
      return {
        kind: request.kind,
        signature: hexOf(KEY.sign(bytesOfHex(request.messageHex) ?? new Uint8Array())),
      }
    case 'send':
      // The other members of the group have to vote.
      if (request.group != null) {
        return { kind: 'proposed', proposalId: request.memo ?? '', txhash: `TX ${request.memo}` }
      }
      return { kind: 'send', txResponse: { txhash: `TX ${request.memo}`, code: 0, rawLog: '' } }
  }
}

/** A world with one relay and one device. */
export function aDevice() {
  const { relay, time, ports } = fakePorts()
  const store = memoryStore()
  const fake = fakeKeeper(time.now)
  /** How the group has decided, by the id of the proposal. */
  const outcomes = new Map<string, Readonly<Record<string, unknown>>>()
  const reports: unknown[] = []
  const processes: DeviceRequests[] = []
  const services: WalletConnectService[] = []

  /** Starts the wallet's process. */
  function start(changes: Partial<DeviceRequestsDeps> = {}): DeviceRequests {
    const source = deviceRequestSource({
      keeper: fake.keeper,
      store,
      proposalOutcome: async ({ proposalId }) => outcomes.get(proposalId),
      introduction: { name: 'Wallet', description: '', url: '', icons: [] },
      chainId: NETWORKS.testnet.chainId,
      now: time.now,
      report: (error) => reports.push(error),
      relay: ports,
      isAllowedRelay: () => true,
      ...changes,
    })
    processes.push(source)
    return source
  }

  /** Opens a page. */
  function aPage(): WalletConnectService {
    const values = new Map<string, string>()
    const service = new WalletConnectService({
      autostart: false,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      ports: {
        relay: ports,
        now: time.now,
        after: time.after,
        storage: {
          read: (key) => values.get(key),
          write: (key, text) => void values.set(key, text),
          remove: (key) => void values.delete(key),
        },
      },
    })
    services.push(service)
    return service
  }

  /** What the user's window does when the user approves the current request. */
  async function approve(source: DeviceRequests): Promise<void> {
    const prompt = source.prompt()
    if (prompt === undefined) throw new Error('nothing to approve')
    const request = prompt.kind === 'connect' ? prompt.choices[0]?.request : prompt.request
    if (request === undefined) throw new Error('nothing to choose')
    if (!(await source.commit(prompt.id))) return
    source.answer(prompt.id, fake.carryOut(prompt.id, request))
  }

  return {
    relay,
    time,
    ports,
    store,
    outcomes,
    ...fake,
    reports,
    report: (error: unknown) => void reports.push(error),
    start,
    aPage,
    approve,
    settled: () => quiescence(() => relay.frames.length),
    /** Closes the pages and the running process. */
    async close() {
      for (const service of services) service.stop()
      const passing = setInterval(() => time.pass(5000))
      await processes.at(-1)?.stop()
      clearInterval(passing)
    },
  }
}

/** A transaction that a page sends. */
export const TRANSACTION = anyBase64({ typeUrl: '/x', value: new Uint8Array() })
