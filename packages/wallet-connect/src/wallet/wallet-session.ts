/**
 * A wallet's session with a page (protocol 6 to 11): joined with a connection URI in any encoding, or resumed from
 * storage. It reconnects, waits while offline, prompts the user before signing anything, and ends exactly once.
 */
import { type RunningFlow, runFlow } from '@portico/flow'
import { envelopeKey } from '../protocol/envelope.ts'
import { RPC_ERRORS, WalletError } from '../protocol/errors.ts'
import {
  type PeerMeta,
  parseSessionRequest,
  parseSessionUpdate,
  SESSION_UPDATE,
} from '../protocol/handshake.ts'
import { parseRpc, type ReceivedRequest, rpcError, rpcRequestText } from '../protocol/json-rpc.ts'
import { unwrapUri } from '../protocol/unwrap-uri.ts'
import { type ConnectOptions, parseUri } from '../protocol/uri.ts'
import { openPeer } from '../transport/peer.ts'
import { afterTimeout, type RelayPorts } from '../transport/ports.ts'
import { type ActiveAccount, accountsOf, type SigningAccount } from './active-account.ts'
import type { Approver, Broadcast, Page } from './approver.ts'
import { invalidPreference } from './connect-preferences.ts'
import { requestServer } from './serve-request.ts'
import { formatStoredSession, parseStoredSession } from './stored-wallet-session.ts'
import {
  type Ending,
  type WalletEvent,
  type WalletState,
  walletSession,
} from './wallet-session.flow.ts'
import { walletServices } from './wallet-session.services.ts'

/** The options of a wallet session. */
export interface WalletOptions extends RelayPorts {
  readonly approver: Approver
  /** The accounts that pages may connect to; at least one. */
  readonly accounts: readonly SigningAccount[]
  readonly broadcast: Broadcast
  /** The wallet's metadata for the page. */
  readonly introduction: PeerMeta
  /** For example `pio-testnet-1`. */
  readonly chainId: string
  /** The issuer of the session tokens. */
  readonly issuer: string
  /** Creates the accounts of an approval or update if a server holds the key and signs the token. */
  readonly accountsOf?: ((acting: ActiveAccount) => Promise<readonly unknown[]>) | undefined
  /** Stores the session, or removes it (`undefined`). The stored text is a secret. */
  readonly store?: ((stored: string | undefined) => void) | undefined
  /** The request that `storeRequest` stored for this code: the relay delivers a page's request only once. */
  readonly storedRequest?: string | undefined
  /** Stores the page's session request while the user decides, or removes it (`undefined`). */
  readonly storeRequest?: ((request: string | undefined) => void) | undefined
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
  /** When the session expires, in epoch milliseconds; each operation extends it. */
  readonly expiresAt: () => number
  /** The number of unanswered requests; `subscribe` also reports changes of it. */
  readonly waiting: () => number
  /** Whether the wallet was closed with unanswered requests; the page has received an error for them. */
  readonly interrupted: boolean
  /** Settles when the session has ended and its last message was sent. */
  readonly ended: Promise<{ readonly how: Ending; readonly message: string }>
  /**
   * Switches to another account or group and notifies the page.
   *
   * @throws WalletError - `not-connected`; `account-mismatch` if the page's preferences do not allow it
   */
  readonly update: (acting: ActiveAccount) => Promise<void>
  /** Restarts the timeout with a new duration that the page sent outside the session. */
  readonly resetTimeout: (seconds: number) => void
  /** Ends the session and notifies the page. */
  readonly end: () => Promise<void>
  /** Closes the connection but keeps the stored session for resuming; `ended` then never settles. */
  readonly leave: () => Promise<void>
}

// Defaults if the page has no preference (protocol 8).
const DEFAULT_DURATION_S = 86_400
const DEFAULT_JWT_S = 86_400

type Connected = Extract<WalletState, { readonly step: 'connected' }>

interface SessionStart {
  readonly bridge: string
  readonly key: Uint8Array
  readonly walletId: string
  readonly wishes: ConnectOptions
  /** The topic of the page's request; absent when resuming. */
  readonly handshakeTopic?: string
  readonly resumed?: {
    readonly page: Page
    readonly acting: ActiveAccount
    readonly expiresAt: number
    readonly unanswered: readonly string[]
  }
}

/**
 * Joins the session of a connection URI, which may be encoded or wrapped in a link.
 *
 * @throws WalletError - `uri-invalid`
 * @example
 * const session = await joinSession(scanned, { approver, accounts, broadcast, introduction, chainId, issuer })
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
  const { handshakeTopic, bridge, key, options: wishes } = uri
  const walletId = (options.newTopic ?? (() => crypto.randomUUID()))()
  return openSession({ bridge, key, walletId, wishes, handshakeTopic }, options)
}

/**
 * Resumes a stored session. Unanswered requests are rejected, so that neither side waits for them:
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
  const { bridge, key, walletId, wishes, page, group, expiresAt, unanswered } = session
  const resumed = { page, acting: { account, group }, expiresAt, unanswered }
  return openSession({ bridge, key, walletId, wishes, resumed }, options)
}

async function openSession(start: SessionStart, options: WalletOptions): Promise<WalletSession> {
  const { bridge, walletId, wishes, handshakeTopic, resumed } = start
  const {
    approver,
    broadcast,
    now = Date.now,
    after = afterTimeout,
    report = throwUncaught,
  } = options
  const key = await envelopeKey(start.key)

  let durationMs = (wishes.connectionDurationS ?? DEFAULT_DURATION_S) * 1000
  let expiresAt = resumed?.expiresAt ?? now() + durationMs
  let left = false

  const peer = openPeer({
    ...options,
    bridge,
    key,
    // Both topics until the request has arrived; the public clients lose the handshake topic when the connection breaks.
    topics: () =>
      handshakeTopic !== undefined && running.state().step === 'waiting'
        ? [walletId, handshakeTopic]
        : [walletId],
    onRequest(request, topic) {
      if (topic === walletId) sendEvent(eventOnWalletTopic(request))
      else receiveSessionRequest(request)
    },
  })

  const createAccounts = (acting: ActiveAccount) =>
    options.accountsOf?.(acting) ??
    accountsOf(acting, {
      issuer: options.issuer,
      lifetimeS: wishes.jwtExpirationS ?? DEFAULT_JWT_S,
      now: now(),
    })

  const server = requestServer({
    approver,
    broadcast,
    wishes,
    report,
    accountsOf: createAccounts,
    changed() {
      store()
      for (const listener of listeners) listener()
    },
    acting: () => connected()?.acting,
    send(text) {
      const state = connected()
      if (state !== undefined) peer.send(state.page.peerId, text)
    },
  })

  const listeners = new Set<() => void>()
  let isStored = resumed !== undefined
  let isRequestStored = options.storedRequest !== undefined

  function sendEvent(event: WalletEvent | undefined): void {
    if (event !== undefined) running.send(event)
  }

  function receiveSessionRequest(request: ReceivedRequest): void {
    const event = eventOnHandshakeTopic(request)
    if (event !== undefined && running.state().step === 'waiting') {
      isRequestStored = true
      options.storeRequest?.(rpcRequestText(request))
    }
    sendEvent(event)
  }

  function store(): void {
    const state = connected()
    if (left || (state === undefined && !isStored)) return
    isStored = state !== undefined
    options.store?.(state && formatSession(state))
  }

  const formatSession = ({ page, acting }: Connected) =>
    formatStoredSession({
      bridge,
      key: start.key,
      walletId,
      wishes,
      page,
      address: acting.account.address,
      group: acting.group,
      expiresAt,
      unanswered: server.unanswered(),
    })

  const services = walletServices({
    peer,
    approver,
    server,
    wishes,
    walletId,
    now,
    after,
    store,
    accounts: options.accounts,
    introduction: options.introduction,
    chainId: options.chainId,
    accountsOf: createAccounts,
    deadline: {
      at: () => expiresAt,
      extend() {
        expiresAt = now() + durationMs
      },
    },
  })

  const { promise: ended, resolve: resolveEnded } =
    Promise.withResolvers<Awaited<WalletSession['ended']>>()
  const running: RunningFlow<WalletState, WalletEvent> = runFlow(
    walletSession,
    { resumed: resumed && { page: resumed.page, acting: resumed.acting } },
    {
      ...services,
      async close(command, signal) {
        if (isRequestStored && !isStored) options.storeRequest?.(undefined)
        await services.close(command, signal)
        const state = running.state()
        if (state.step === 'ended') resolveEnded({ how: state.how, message: state.message })
      },
    },
    report,
  )

  const storedRequest = parseRpc(options.storedRequest ?? '')
  if (storedRequest?.kind === 'request') receiveSessionRequest(storedRequest)
  for (const idText of resumed?.unanswered ?? []) {
    server.answer(idText, rpcError({ idText }, RPC_ERRORS.requestUnanswered))
  }

  function connected(): Connected | undefined {
    const state = running.state()
    return state.step === 'connected' && !left ? state : undefined
  }

  return {
    state: running.state,
    subscribe(listener) {
      listeners.add(listener)
      const stop = running.subscribe(listener)
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
    waiting: () => server.unanswered().length,
    expiresAt: () => expiresAt,
    interrupted: (resumed?.unanswered ?? []).length > 0,
    ended,
    async update(acting) {
      if (connected() === undefined) {
        throw new WalletError('not-connected', 'No page is connected. Connect to one first.')
      }
      const error = invalidPreference(acting, { ...wishes, groupAddress: undefined })
      if (error !== undefined) throw new WalletError('account-mismatch', error.message)
      running.send({ type: 'accountSwitched', acting, accounts: await createAccounts(acting) })
    },
    resetTimeout(seconds) {
      durationMs = seconds * 1000
      expiresAt = now() + durationMs
      store()
    },
    async end() {
      running.send({ type: 'walletEnded' })
      await ended
    },
    async leave() {
      left = true
      running.stop()
      await peer.close()
    },
  }
}

function eventOnHandshakeTopic(request: ReceivedRequest): WalletEvent | undefined {
  const sessionRequest = parseSessionRequest(request)
  return (
    sessionRequest && {
      type: 'sessionRequested',
      request: { ...sessionRequest, idText: request.idText },
    }
  )
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
