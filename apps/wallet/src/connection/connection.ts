/**
 * The wallet's connection with the page around it: joined with the code it was opened with, or gone on with after a
 * reload. It tells where it stands and what is asked, and takes the answers.
 */
import type { ApprovalResult } from '@portico/contracts/hosted-wallet'
import { NETWORKS } from '@portico/keys/networks'
import type { TextStorage } from '@portico/shell/text-storage'
import { parseUri, RPC_ERRORS, unwrapUri, WalletError } from '@portico/wallet-connect/protocol'
import {
  joinSession,
  resumeSession,
  type WalletOptions,
  type WalletSession,
} from '@portico/wallet-connect/wallet'
import type { Question } from '../approval-request.ts'
import type { Arrival } from '../arrival.ts'
import type { Connection, ConnectionState, Decided, Over } from '../connection-state.ts'
import type { KeeperAccount } from '../key-keeper.ts'
import { approvalAdapter } from './approval-adapter.ts'
import { storedConnection } from './stored-connection.ts'

/** What a connection is opened with. */
export interface ConnectionDeps {
  readonly accounts: readonly KeeperAccount[]
  readonly arrival: Arrival
  readonly origin: string
  /** Where the page around the wallet is from, as the browser says. */
  readonly pageOrigin: string | undefined
  readonly storage: TextStorage
  readonly reportError: (error: unknown) => void
  /** How the relay is reached; tests hand in their own. */
  readonly relay?: Pick<WalletOptions, 'WebSocket' | 'after' | 'random' | 'online' | 'now'>
}

/** Opens the connection that the wallet was opened for. */
export async function openConnection(deps: ConnectionDeps): Promise<Connection> {
  const { accounts, arrival, origin, storage, reportError } = deps
  const kept = storedConnection(storage)
  const before = kept.read()
  const listeners = new Set<() => void>()
  let asked: { question: Question; decide: (given: ApprovalResult | undefined) => void } | undefined
  let decided: Decided | undefined
  let questions = 0
  let session: WalletSession | undefined
  let nothing: ConnectionState = { step: 'none' }

  function changed(): void {
    for (const listener of listeners) listener()
  }

  const given = arrival.kind === 'connect' ? (unwrapUri(arrival.code) ?? '') : undefined
  const uri = given ?? before?.uri
  // The page that asks is the one that the connection began with, whatever shows the wallet now.
  const pageOrigin = uri === before?.uri ? before?.origin : deps.pageOrigin
  const from = pageOrigin === undefined ? {} : { origin: pageOrigin }

  const desk = approvalAdapter({
    accounts,
    origin: pageOrigin,
    async put(question, signal) {
      if (signal.aborted) return undefined
      const { promise, resolve } = Promise.withResolvers<ApprovalResult | undefined>()
      questions += 1
      asked = { question: { ...question, id: questions, waiting: 1 }, decide: resolve }
      signal.addEventListener('abort', () => resolve(undefined))
      changed()
      const given = await promise
      asked = undefined
      const kind = question.kind === 'connect' ? 'connect' : question.request.kind
      decided = { kind, how: signal.aborted ? 'withdrawn' : answerOf(given) }
      changed()
      return given
    },
  })

  const options: WalletOptions = {
    ...desk,
    ...deps.relay,
    introduction: { name: 'Wallet', description: '', url: origin, icons: [] },
    chainId: chainIdOf(accounts),
    issuer: new URL(origin).host,
    keep: (session) =>
      session === undefined || uri === undefined
        ? kept.forget()
        : kept.keep({ uri, session, ...from }),
    keepAsked: (asked) =>
      asked === undefined || uri === undefined ? kept.forget() : kept.keep({ uri, asked, ...from }),
    report: reportError,
  }

  async function open(): Promise<WalletSession | Over | undefined> {
    const known = given === undefined || before?.uri === given ? before : undefined
    if (given !== undefined && !(known !== undefined && 'session' in known)) {
      const bridge = parseUri(given)?.bridge
      if (bridge === undefined) return 'code-unreadable'
      // A page of ours uses our relay; the policy of this page would not let us reach another.
      if (new URL(bridge).host !== new URL(origin).host) return 'other-relay'
      // Where the frame was loaded anew while the person decided, the question comes back.
      return joinSession(given, { ...options, asked: known?.asked })
    }
    if (known !== undefined && 'session' in known) {
      try {
        return await resumeSession(known.session, options)
      } catch (error) {
        if (!(error instanceof WalletError)) throw error
        // Damaged, or of somebody else who was signed in here before.
        kept.forget()
      }
    }
    return arrival.kind === 'request' ? 'not-connected' : undefined
  }

  const opened = await open()
  if (typeof opened === 'string') nothing = { step: 'over', how: opened, decided: undefined }
  else session = opened
  if (session?.interrupted) decided = { how: 'interrupted' }
  const stop = session?.subscribe(changed)

  return {
    state(): ConnectionState {
      if (asked !== undefined) {
        const waiting = Math.max(1, session?.waiting() ?? 1)
        return { step: 'asking', question: { ...asked.question, waiting } }
      }
      const state = session?.state()
      switch (state?.step) {
        case undefined:
          return nothing
        case 'waiting':
        case 'asking':
          return { step: 'joining' }
        case 'connected':
          return { step: 'connected', until: session?.expiresAt() ?? 0, decided }
        case 'ended': {
          const unavailable = state.message === RPC_ERRORS.accountUnavailable.message
          return { step: 'over', how: unavailable ? 'account-unavailable' : state.how, decided }
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    answer(questionId, given) {
      if (asked?.question.id === questionId) asked.decide(given)
    },
    end: async () => session?.end(),
    async leave() {
      stop?.()
      await session?.leave()
    },
  }
}

function answerOf(given: ApprovalResult | undefined): 'agreed' | 'failed' | 'refused' {
  if (given === undefined) return 'refused'
  return given.kind === 'send' && (given.txResponse['code'] ?? 0) !== 0 ? 'failed' : 'agreed'
}

/** The chain whose addresses the accounts have. */
function chainIdOf([first]: readonly KeeperAccount[]): string {
  const { mainnet, testnet } = NETWORKS
  return (first?.address.startsWith(`${mainnet.prefix}1`) ? mainnet : testnet).chainId
}
