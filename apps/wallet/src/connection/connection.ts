/**
 * The wallet's connection to the page that embeds it: joined with the code the wallet was opened with, or resumed after a
 * reload. It exposes its state and the current prompt, and accepts the answers.
 */

import { type ApprovalResult, Proposed } from '@portico/contracts/hosted-wallet'
import { parseJson } from '@portico/contracts/parse-json'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { TextStorage } from '@portico/contracts/text-storage'
import { NETWORKS } from '@portico/keys/networks'
import { addressPrefix } from '@portico/rules/bech32'
import { parseUri, RPC_ERRORS, unwrapUri, WalletError } from '@portico/wallet-connect/protocol'
import {
  joinSession,
  type Prompt,
  resumeSession,
  type WalletOptions,
  type WalletSession,
} from '@portico/wallet-connect/wallet'
import type { ApprovalPrompt } from '@portico/wallet-kit/approval-prompt'
import { approver, walletAccounts } from '@portico/wallet-kit/approver'
import { awaitedVotes, type ProposalOutcome } from '@portico/wallet-kit/awaited-votes'
import type { WalletAccount } from '@portico/wallet-kit/key-keeper'
import { promptQueue } from '@portico/wallet-kit/prompt-queue'
import { type PromptUser, userPrompts } from '@portico/wallet-kit/user-prompts'
import * as z from 'zod/mini'
import type { Arrival } from '../arrival.ts'
import type { Connection, ConnectionState, EndReason } from '../connection-state.ts'

export interface ConnectionDeps {
  readonly accounts: readonly WalletAccount[]
  readonly arrival: Arrival
  readonly origin: string
  /** The origin of the embedding page, as reported by the browser. */
  readonly pageOrigin: string | undefined
  readonly storage: TextStorage
  readonly proposalOutcome: ProposalOutcome
  readonly reportError: (error: unknown) => void
  /** The ports of the relay connection; tests pass their own. */
  readonly relay?: Pick<WalletOptions, 'WebSocket' | 'after' | 'random' | 'onReturn' | 'now'>
}

export async function openConnection(deps: ConnectionDeps): Promise<Connection> {
  const { accounts, arrival, origin, storage, reportError } = deps
  const connectionStore = storedConnection(storage)
  const before = connectionStore.read()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const prompts = userPrompts(changed)
  const queue = promptQueue(changed)
  queue.open()
  const left = new AbortController()
  const votes = awaitedVotes({ proposalOutcome: deps.proposalOutcome, report: reportError })

  const newUri = arrival.kind === 'connect' ? (unwrapUri(arrival.code) ?? '') : undefined
  const uri = newUri ?? before?.uri
  // The requesting page is the one that started the connection, even if another page embeds the wallet now.
  const pageOrigin = uri === before?.uri ? before?.origin : deps.pageOrigin
  const from = pageOrigin === undefined ? {} : { origin: pageOrigin }
  /** The proposals that the page waits for, by the id of its request. */
  const proposals = new Map(uri === before?.uri ? Object.entries(before?.proposals ?? {}) : [])
  /** Whether the wallet was closed while the user was deciding. */
  let isInterrupted = false

  const promptUser: PromptUser = async (prompt, request) => {
    const followed = proposals.get(request.requestId)
    if (followed !== undefined) return awaitVotes(followed, request)
    if (prompt.kind === 'act' && request.isNew === false) {
      // The page may be gone, and a transaction may already have been sent.
      isInterrupted = true
      throw new WalletError('closed', RPC_ERRORS.requestUnanswered.message)
    }
    const result = await prompts.promptUser(prompt, request)
    return result.kind === 'proposed' ? awaitVotes(result, request) : result
  }

  /**
   * Answers the page when the group has decided. Meanwhile other requests are prompted, and the page can withdraw this one. The
   * proposal is stored, so that the next frame or window of the wallet answers if this one is closed.
   */
  async function awaitVotes(proposed: Proposed, request: Prompt): Promise<ApprovalResult> {
    const { requestId } = request
    proposals.set(requestId, proposed)
    changed()
    try {
      request.release()
      queue.release()
      await request.stored()
      return await votes.follow(proposed, AbortSignal.any([request.signal, left.signal]))
    } finally {
      // What was not decided before the wallet was closed stays stored.
      if (!left.signal.aborted) proposals.delete(requestId)
      changed()
    }
  }

  const options: WalletOptions = {
    ...deps.relay,
    approver: approver({ accounts, origin: pageOrigin, promptUser }),
    accounts: walletAccounts(accounts),
    introduction: { name: 'Wallet', description: '', url: origin, icons: [] },
    chainId: chainIdOf(accounts),
    store: (session) =>
      session === undefined || uri === undefined
        ? connectionStore.remove()
        : connectionStore.write({
            uri,
            session,
            ...(proposals.size === 0 ? {} : { proposals: Object.fromEntries(proposals) }),
            ...from,
          }),
    storeRequest: (asked) =>
      asked === undefined || uri === undefined
        ? connectionStore.remove()
        : connectionStore.write({ uri, asked, ...from }),
    report: reportError,
    onResume: 'serve',
    queue,
  }

  async function open(): Promise<WalletSession | ConnectionState> {
    const stored = newUri === undefined || before?.uri === newUri ? before : undefined
    if (newUri !== undefined && !(stored !== undefined && 'session' in stored)) {
      const bridge = parseUri(newUri)?.bridge
      if (bridge === undefined) return endedState('code-unreadable')
      // Our pages use our relay; this page's Content-Security-Policy blocks all others.
      if (new URL(bridge).host !== new URL(origin).host) return endedState('other-relay')
      // If the frame was reloaded while the user was deciding, the request is shown again.
      return joinSession(newUri, { ...options, storedRequest: stored?.asked })
    }
    if (stored !== undefined && 'session' in stored) {
      try {
        return await resumeSession(stored.session, options)
      } catch (error) {
        if (!(error instanceof WalletError)) throw error
        // Damaged, or from a different user who was signed in before.
        connectionStore.remove()
      }
    }
    return arrival.kind === 'request' ? endedState('not-connected') : { step: 'none' }
  }

  const opened = await open()
  const session = 'ended' in opened ? opened : undefined
  const stop = session?.subscribe(changed)

  function currentPrompt(): ApprovalPrompt | undefined {
    const prompt = prompts.current()
    if (prompt === undefined || session === undefined) return undefined
    const state = session.state()
    const unanswered = state.step === 'connected' ? state.unanswered.length - proposals.size : 1
    return { ...prompt, waiting: Math.max(1, unanswered) }
  }

  return {
    state(): ConnectionState {
      if ('step' in opened) return opened
      const state = opened.state()
      const prompt = currentPrompt()
      if (prompt !== undefined) return { step: 'asking', prompt }
      const decided =
        prompts.decided() ??
        (isInterrupted || opened.interrupted ? ({ how: 'interrupted' } as const) : undefined)
      switch (state.step) {
        case 'waiting':
        case 'asking':
        case 'left':
          return { step: 'joining' }
        case 'connected':
          return { step: 'connected', until: state.expiresAt, decided, awaited: proposals.size }
        case 'ended': {
          const unavailable = state.message === RPC_ERRORS.accountUnavailable.message
          return { step: 'ended', how: unavailable ? 'account-unavailable' : state.how, decided }
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    prompt: currentPrompt,
    commit: async (promptId) => prompts.commit(promptId),
    release: prompts.release,
    answer: prompts.answer,
    end: async () => session?.end(),
    async leave() {
      stop?.()
      const leaving = session?.leave()
      // After the session was left, so that what is not decided stays stored instead of being answered.
      left.abort()
      await leaving
    },
  }
}

function endedState(how: EndReason): ConnectionState {
  return { step: 'ended', how, decided: undefined }
}

/** The chain of the accounts' addresses. */
function chainIdOf([first]: readonly WalletAccount[]): string {
  const { mainnet, testnet } = NETWORKS
  const isMainnet = first !== undefined && addressPrefix(first.address) === mainnet.prefix
  return (isMainnet ? mainnet : testnet).chainId
}

/**
 * The connection in storage: the code it started with, the page's origin as the browser reported it then,
 * and the text that the library stores for a session or for a session request that is still undecided.
 */
const StoredConnection = z.union([
  z.object({
    uri: z.string(),
    session: z.string(),
    /** The proposals that the page waits for, by the id of its request. */
    proposals: z.optional(z.record(z.string(), Proposed)),
    origin: z.optional(z.string()),
  }),
  z.object({
    uri: z.string(),
    asked: z.string(),
    proposals: z.optional(z.undefined()),
    origin: z.optional(z.string()),
  }),
])

type StoredConnection = z.output<typeof StoredConnection>

/** Reads, writes and removes the stored connection. It contains a key, so it is a secret of this origin. */
function storedConnection(storage: TextStorage) {
  return {
    read: () => StoredConnection.safeParse(parseJson(storage.read(STORAGE_KEYS.hostedWallet))).data,
    write: (connection: StoredConnection) =>
      storage.write(STORAGE_KEYS.hostedWallet, JSON.stringify(connection)),
    remove: () => storage.remove(STORAGE_KEYS.hostedWallet),
  }
}
