/**
 * A wallet's session with a page (protocol 6 to 11): joined with a connection URI in any encoding, or resumed from
 * storage. It reconnects, waits while offline, prompts the user before signing anything, and ends exactly once.
 */
import { type RunningFlow, runFlow } from '@portico/flow'
import { envelopeKey } from '../protocol/envelope.ts'
import { RPC_ERRORS, type RpcError, WalletError } from '../protocol/errors.ts'
import { fieldsIn, fieldsOf } from '../protocol/fields.ts'
import {
  type PeerMeta,
  parseSessionRequest,
  parseSessionUpdate,
  SESSION_UPDATE,
} from '../protocol/handshake.ts'
import { parseRpc, type ReceivedRequest, rpcError } from '../protocol/json-rpc.ts'
import { type ConnectOptions, parseUri, unwrapUri } from '../protocol/uri.ts'
import { openPeer } from '../transport/peer.ts'
import { afterTimeout, type RelayPorts } from '../transport/ports.ts'
import {
  type Account,
  type ActiveAccount,
  type ApprovedAccount,
  invalidPreference,
} from './accounts.ts'
import type { Approver, Page } from './approver.ts'
import { type Outbox, outbox } from './outbox.ts'
import type { PromptQueue } from './prompt-queue.ts'
import { LIMITS_IN_MEMORY, LIMITS_IN_STORAGE, requestLedger } from './request-ledger.ts'
import { FAILURE_DELAY_MS, requestServer } from './serve-request.ts'
import { immediateStorage, sequentialStorage } from './session-storage.ts'
import {
  formatStoredSession,
  parseStoredSession,
  type ServedMessages,
} from './stored-wallet-session.ts'
import {
  type ConnectedState,
  type SessionEnd,
  type WalletEvent,
  type WalletInput,
  type WalletState,
  walletSession,
} from './wallet-session.flow.ts'
import { type StoredStep, walletServices } from './wallet-session.services.ts'

/** The options of a wallet session. */
export interface WalletOptions extends RelayPorts {
  readonly approver: Approver
  /** The accounts that pages may connect to; at least one. */
  readonly accounts: readonly Account[]
  /** The wallet's metadata for the page. */
  readonly introduction: PeerMeta
  /** For example `pio-testnet-1`. */
  readonly chainId: string
  /** Stores the session in place of the session request, or removes it (`undefined`). The stored text is a secret. */
  readonly store?: ((stored: string | undefined) => unknown) | undefined
  /** The request that `storeRequest` stored for this code: the relay delivers a page's request only once. */
  readonly storedRequest?: string | undefined
  /** Stores the page's session request while the user decides, or removes it (`undefined`). */
  readonly storeRequest?: ((request: string | undefined) => unknown) | undefined
  /**
   * What happens to unanswered requests when the session is resumed. `reject`, the default, is for a wallet next to its page.
   * `serve` is for a wallet that may be stopped at any time: it stores before it acts, waiting for the promises of `store`
   * and `storeRequest`, prompts for stored requests again, and sends stored answers again that may not have arrived.
   */
  readonly onResume?: 'reject' | 'serve' | undefined
  /** Orders the prompts of several sessions; by default, each session prompts for one request at a time. */
  readonly queue?: PromptQueue | undefined
  readonly now?: (() => number) | undefined
  /** Called when the relay connection opens or closes; it reconnects automatically. */
  readonly onState?: ((state: 'open' | 'closed') => void) | undefined
  /** Creates the wallet's topic. */
  readonly newTopic?: (() => string) | undefined
  /** Reports unexpected errors; by default they are thrown as uncaught errors. */
  readonly report?: ((error: unknown) => void) | undefined
}

/** A wallet's session with a page. */
export interface WalletSession {
  readonly state: () => WalletState
  /** Calls back on state changes; returns a function that removes the listener. */
  readonly subscribe: (listener: () => void) => () => void
  /** The wallet's topic at the relay, to which the page sends its requests. */
  readonly topic: string
  /** The lifetime of the session tokens that the page wants. */
  readonly tokenLifetimeS: number
  /** Whether the wallet was closed with unanswered requests; the page has received an error for them. */
  readonly interrupted: boolean
  /** Settles when the session has ended and its last message was sent. */
  readonly ended: Promise<SessionEnd>
  /**
   * Switches to another account or group and notifies the page.
   *
   * @throws WalletError - `not-connected`; `account-mismatch` if the page's preferences do not allow it
   */
  readonly update: (account: ApprovedAccount) => Promise<void>
  /** Restarts the timeout with a new duration that the page sent outside the session. */
  readonly resetTimeout: (seconds: number) => void
  /** Ends the session and notifies the page. */
  readonly end: () => Promise<void>
  /** Closes the connection but keeps the stored session for resuming; `ended` then never settles. */
  readonly leave: () => Promise<void>
  /** Reconnects now if the connection is broken, which a device that has slept may not have noticed. */
  readonly wake: () => void
}

// Defaults if the page has no preference (protocol 8).
const DEFAULT_DURATION_S = 86_400
const DEFAULT_TOKEN_LIFETIME_S = 86_400

/** A page cannot keep a connection for years: without an operation it ends after a month. */
const MAX_DURATION_S = 30 * 86_400

interface SessionStart {
  readonly bridge: string
  readonly key: Uint8Array
  readonly walletId: string
  readonly connectOptions: ConnectOptions
  /** The topic of the page's request; absent when resuming. */
  readonly handshakeTopic?: string
  readonly resumed?: {
    readonly page: Page
    readonly acting: ActiveAccount
    readonly durationMs?: number | undefined
    readonly expiresAt: number
    readonly unanswered: readonly string[]
    readonly served: ServedMessages
  }
}

/**
 * Joins the session of a connection URI, which may be encoded or wrapped in a link.
 *
 * @throws WalletError - `uri-invalid`
 * @example
 * const session = await joinSession(scanned, { approver, accounts, introduction, chainId })
 * const { message } = await session.ended
 */
export async function joinSession(text: string, options: WalletOptions): Promise<WalletSession> {
  const uri = parseUri(unwrapUri(text) ?? '')
  if (uri === undefined) {
    throw new WalletError(
      'uri-invalid',
      'This is not a wallet connection. It must contain a text such as wc:…@1?bridge=…&key=… : copy or scan the code again.',
    )
  }
  const { handshakeTopic, bridge, key, options: connectOptions } = uri
  const walletId = (options.newTopic ?? (() => crypto.randomUUID()))()
  return openSession({ bridge, key, walletId, connectOptions, handshakeTopic }, options)
}

/**
 * Resumes a stored session. Unless `onResume` is `serve`, unanswered requests are rejected, so that neither side waits for them:
 * the page may be gone, and a transaction may already have been sent. A session that has expired is ended immediately, and the page is notified.
 *
 * @throws WalletError - `stored-session-invalid`: damaged, or its account is no longer in this wallet
 */
export async function resumeSession(
  stored: string,
  options: WalletOptions,
): Promise<WalletSession> {
  const session = parseStoredSession(stored)
  const account = options.accounts.find(({ address }) => address === session?.address)
  if (session === undefined || account === undefined) {
    throw new WalletError(
      'stored-session-invalid',
      'The stored session cannot be used: it is damaged, or its account is no longer in this wallet.',
    )
  }
  const { bridge, key, walletId, connectOptions, page, group, ...resumable } = session
  const resumed = { ...resumable, page, acting: { account, group } }
  return openSession({ bridge, key, walletId, connectOptions, resumed }, options)
}

const durationMsOf = (seconds: number) => Math.min(seconds, MAX_DURATION_S) * 1000

async function openSession(start: SessionStart, options: WalletOptions): Promise<WalletSession> {
  const { bridge, walletId, connectOptions, handshakeTopic, resumed } = start
  const {
    approver,
    introduction,
    accounts,
    chainId,
    queue,
    now = Date.now,
    after = afterTimeout,
    report = throwUncaught,
  } = options
  const key = await envelopeKey(start.key)
  const tokenLifetimeS = connectOptions.jwtExpirationS ?? DEFAULT_TOKEN_LIFETIME_S
  const durationMs = durationMsOf(connectOptions.connectionDurationS ?? DEFAULT_DURATION_S)
  const serves = options.onResume === 'serve'
  const pending = (resumed?.served.pending ?? []).flatMap(({ text }) => {
    const request = parseRpc(text)
    return request?.kind === 'request' ? [request] : []
  })
  const unanswered = serves
    ? (resumed?.unanswered ?? [])
    : [...(resumed?.unanswered ?? []), ...pending.map(({ idText }) => idText)]

  const ledger = serves
    ? requestLedger(LIMITS_IN_STORAGE, resumed?.served)
    : requestLedger(LIMITS_IN_MEMORY)
  let stored: StoredStep | undefined
  const storage = serves ? sequentialStorage(write, report) : immediateStorage(write)

  function write(): unknown {
    if (stored?.kind === 'request') {
      const { text, refusal } = stored.request ?? {}
      // Only a wallet that may be stopped has to send a refusal again.
      if (refusal !== undefined && !serves) return undefined
      return options.storeRequest?.(text === undefined ? undefined : requestText(text, refusal))
    }
    if (stored?.session === undefined) return stored && options.store?.(undefined)
    const { session } = stored
    const served = serves ? { ...ledger.contents(), outbox: messages.texts() } : undefined
    const terms = { bridge, key: start.key, walletId, connectOptions }
    return options.store?.(formatStoredSession({ ...terms, session, served }))
  }

  const peer = openPeer({
    ...options,
    bridge,
    key,
    acknowledge: serves ? 'when-handled' : 'on-receipt',
    // Both topics until the request has arrived; the public clients lose the handshake topic when the connection breaks.
    topics: () =>
      handshakeTopic !== undefined && running.state().step === 'waiting'
        ? [walletId, handshakeTopic]
        : [walletId],
    async onRequest(request, topic) {
      const event =
        topic === walletId ? eventOnWalletTopic(request) : eventOnHandshakeTopic(request)
      if (event !== undefined) running.send(event)
      if (await storage.saved()) return
      await new Promise<void>((resolve) => after(FAILURE_DELAY_MS, resolve))
    },
    onState(state) {
      if (state === 'unreachable') return
      if (state === 'open') messages.opened()
      else messages.closed()
      options.onState?.(state)
    },
  })

  const messages = outbox({
    peer,
    storage,
    onConfirmed: () => {
      if (connected() !== undefined) storage.save().catch(() => undefined)
    },
    resumed: serves
      ? (resumed?.served.outbox ?? []).map((text) => ({ topic: resumed?.page.peerId ?? '', text }))
      : [],
  })

  const post: Outbox['post'] = serves ? messages.post : peer.send

  const server = requestServer({
    approver,
    connectOptions,
    tokenLifetimeS,
    ledger,
    queue,
    tooMany: serves ? RPC_ERRORS.tooManyRequests : RPC_ERRORS.requestRejected,
    now,
    report,
    acting: () => connected()?.acting,
    onUnanswered: (idTexts) => running.send({ type: 'unansweredChanged', unanswered: idTexts }),
    send: (page, text) => peer.send(page.peerId, text),
    post: (page, text) => post(page.peerId, text),
    store: serves ? storage.save : async () => undefined,
  })

  const { promise: ended, resolve: onClosed } = Promise.withResolvers<SessionEnd>()
  const running: RunningFlow<WalletState, WalletEvent> = runFlow(
    walletSession,
    {
      ...storedSessionRequest(options.storedRequest),
      resumed: resumed && { ...resumed, durationMs: resumed.durationMs ?? durationMs },
    },
    walletServices({
      peer,
      approver,
      server,
      accounts,
      connectOptions,
      durationMs,
      tokenLifetimeS,
      walletId,
      introduction,
      chainId,
      now,
      after,
      onClosed,
      storage,
      queue,
      post: (page, text, requirements) => post(page.peerId, text, requirements),
      setStored(step) {
        stored = step
      },
    }),
    report,
  )

  const state = running.state()
  if (state.step === 'connected') stored = { kind: 'session', session: state }
  for (const idText of unanswered) {
    const text = rpcError({ idText }, RPC_ERRORS.requestUnanswered)
    if (resumed !== undefined) server.respond(resumed.page, { idText, text })
  }
  if (serves) for (const request of pending) running.send({ type: 'requestArrived', request })

  function connected(): ConnectedState | undefined {
    const state = running.state()
    return state.step === 'connected' ? state : undefined
  }

  return {
    state: running.state,
    subscribe: running.subscribe,
    topic: walletId,
    tokenLifetimeS,
    interrupted: unanswered.length > 0,
    ended,
    async update(account) {
      if (connected() === undefined) {
        throw new WalletError('not-connected', 'No page is connected. Connect to one first.')
      }
      const error = invalidPreference(account, { ...connectOptions, groupAddress: undefined })
      if (error !== undefined) throw new WalletError('account-mismatch', error.message)
      running.send({ type: 'accountSwitched', account, now: now() })
    },
    resetTimeout(seconds) {
      running.send({ type: 'timeoutReset', durationMs: durationMsOf(seconds), now: now() })
    },
    async end() {
      running.send({ type: 'walletEnded' })
      await ended
    },
    async leave() {
      running.send({ type: 'walletLeft' })
      await storage.settled()
      await peer.close()
    },
    wake: peer.wake,
  }
}

/** The stored request with the refusal that was decided but may not have been sent. */
function requestText(text: string, refusal: RpcError | undefined): string {
  return refusal === undefined ? text : `${text.slice(0, -1)},"refusal":${JSON.stringify(refusal)}}`
}

function storedSessionRequest(text = ''): Pick<WalletInput, 'request' | 'refusal'> {
  const request = parseRpc(text)
  if (request?.kind !== 'request') return {}
  const { code, message } = fieldsIn(fieldsOf(text)['refusal'])
  const refusal =
    typeof code === 'number' && typeof message === 'string' ? { code, message } : undefined
  return { request: identifiedSessionRequest(request), refusal }
}

function identifiedSessionRequest(request: ReceivedRequest) {
  const sessionRequest = parseSessionRequest(request)
  return sessionRequest && { ...sessionRequest, idText: request.idText }
}

function eventOnHandshakeTopic(received: ReceivedRequest): WalletEvent | undefined {
  const request = identifiedSessionRequest(received)
  return request && { type: 'sessionRequested', request }
}

function eventOnWalletTopic(request: ReceivedRequest): WalletEvent | undefined {
  const update = parseSessionUpdate(request)
  if (update?.kind === 'ended') return { type: 'pageEnded' }
  // Updates get no response, and accounts in a page's update are ignored.
  return request.method === SESSION_UPDATE ? undefined : { type: 'requestArrived', request }
}

/** Without `report`, unexpected errors become uncaught errors so that they are noticed. */
function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
