/**
 * A wallet's session with a page (protocol 6 to 11): joined with a connection URI in any wrapping, or resumed from what
 * was stored. It reconnects, waits while offline, asks the person before anything is signed, and ends once.
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
import { type Acting, accountsOf, type HeldAccount } from './acting.ts'
import type { Broadcast, Page, Person } from './approver.ts'
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

/** What a wallet brings to a session. */
export interface WalletOptions extends RelayPorts {
  readonly person: Person
  /** The accounts a page may connect to; at least one. */
  readonly accounts: readonly HeldAccount[]
  readonly broadcast: Broadcast
  /** How the wallet introduces itself to the page. */
  readonly introduction: PeerMeta
  /** Such as `pio-testnet-1`. */
  readonly chainId: string
  /** Who issues the session tokens. */
  readonly issuer: string
  /** Makes the accounts of an approval or update where their token is not made here: a server keeps the key. */
  readonly accountsOf?: ((acting: Acting) => Promise<readonly unknown[]>) | undefined
  /** Stores the session, or removes it (`undefined`). What is stored is a secret. */
  readonly keep?: ((stored: string | undefined) => void) | undefined
  /** What `keepAsked` stored of this code: the relay hands a page's request out once only. */
  readonly asked?: string | undefined
  /** Stores the page's request for a session while the person decides, or removes it (`undefined`). */
  readonly keepAsked?: ((asked: string | undefined) => void) | undefined
  readonly now?: (() => number) | undefined
  /** Tells when the relay is reached and when it is lost; the connection mends itself. */
  readonly onState?: ((state: 'open' | 'closed') => void) | undefined
  /** Makes the wallet's own topic. */
  readonly newTopic?: (() => string) | undefined
  /** Hears of defects; without it they surface as uncaught errors. */
  readonly report?: ((error: unknown) => void) | undefined
}

/** A wallet's session with a page. */
export interface WalletSession {
  readonly state: () => WalletState
  /** Tells when the state has changed; gives the way to stop listening. */
  readonly subscribe: (listener: () => void) => () => void
  /** When the session ends by itself, in epoch milliseconds; each operation puts it off. */
  readonly expiresAt: () => number
  /** How many requests of the page are not answered yet; `subscribe` tells when that changes. */
  readonly waiting: () => number
  /** Whether the wallet was closed while the page waited for an answer; the page has been told. */
  readonly interrupted: boolean
  /** Settles when the session is over and its last message has left. */
  readonly ended: Promise<{ readonly how: Ending; readonly message: string }>
  /**
   * Acts as another account or group from now on, and tells the page.
   *
   * @throws WalletError - `not-connected`; `account-mismatch` where the page's wishes do not allow it
   */
  readonly update: (acting: Acting) => Promise<void>
  /** The page told the wallet application by other means that the session may last this long from now on. */
  readonly resetTimeout: (seconds: number) => void
  /** Ends the session and tells the page. */
  readonly end: () => Promise<void>
  /** Closes the connection and leaves the session as it is stored, to be resumed; `ended` never settles then. */
  readonly leave: () => Promise<void>
}

// What the protocol fills in where the page wishes for nothing (protocol 8).
const DEFAULT_DURATION_S = 86_400
const DEFAULT_JWT_S = 86_400

type Connected = Extract<WalletState, { readonly step: 'connected' }>

interface Beginning {
  readonly bridge: string
  readonly key: Uint8Array
  readonly walletId: string
  readonly wishes: ConnectOptions
  /** Where the page's request is waiting; absent when resuming. */
  readonly handshakeTopic?: string
  readonly resumed?: {
    readonly page: Page
    readonly acting: Acting
    readonly expiresAt: number
    readonly unanswered: readonly string[]
  }
}

/**
 * Joins the session of a connection URI, in whatever wrapping it was scanned, tapped or pasted.
 *
 * @throws WalletError - `uri-invalid`
 * @example
 * const session = await joinSession(scanned, { person, accounts, broadcast, introduction, chainId, issuer })
 * const { message } = await session.ended
 */
export async function joinSession(text: string, options: WalletOptions): Promise<WalletSession> {
  const uri = parseUri(unwrapUri(text) ?? '')
  if (uri === undefined) {
    throw new WalletError(
      'uri-invalid',
      'This is no wallet connection. It has to hold a text such as wc:…@1?bridge=…&key=… : copy or scan the code again.',
    )
  }
  const { handshakeTopic, bridge, key, options: wishes } = uri
  const walletId = (options.newTopic ?? (() => crypto.randomUUID()))()
  return openSession({ bridge, key, walletId, wishes, handshakeTopic }, options)
}

/**
 * Goes on with a stored session. What the page asked before and nobody answered is refused, so that neither side waits:
 * the page may be gone, and a transaction may have been sent. A session whose time ran out meanwhile is ended at once, and the page is told.
 *
 * @throws WalletError - `stored-session-invalid`: damaged, or of an account that is no longer here
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

async function openSession(beginning: Beginning, options: WalletOptions): Promise<WalletSession> {
  const { bridge, walletId, wishes, handshakeTopic, resumed } = beginning
  const { person, broadcast, now = Date.now, after = afterTimeout, report = surface } = options
  const key = await envelopeKey(beginning.key)

  let durationMs = (wishes.connectionDurationS ?? DEFAULT_DURATION_S) * 1000
  let expiresAt = resumed?.expiresAt ?? now() + durationMs
  let left = false

  const peer = openPeer({
    ...options,
    bridge,
    key,
    // Until the request has arrived, both; the public clients lose the first one when the connection breaks.
    topics: () =>
      handshakeTopic !== undefined && running.state().step === 'waiting'
        ? [walletId, handshakeTopic]
        : [walletId],
    onRequest(request, topic) {
      if (topic === walletId) tell(heardOnOwnTopic(request))
      else asked(request)
    },
  })

  const fresh = (acting: Acting) =>
    options.accountsOf?.(acting) ??
    accountsOf(acting, {
      issuer: options.issuer,
      lifetimeS: wishes.jwtExpirationS ?? DEFAULT_JWT_S,
      now: now(),
    })

  const server = requestServer({
    person,
    broadcast,
    wishes,
    report,
    accountsOf: fresh,
    changed() {
      keep()
      for (const listener of listeners) listener()
    },
    acting: () => connected()?.acting,
    send(text) {
      const state = connected()
      if (state !== undefined) peer.send(state.page.peerId, text)
    },
  })

  const listeners = new Set<() => void>()
  let kept = resumed !== undefined
  let askedKept = options.asked !== undefined

  function tell(event: WalletEvent | undefined): void {
    if (event !== undefined) running.send(event)
  }

  function asked(request: ReceivedRequest): void {
    const event = heardOnHandshake(request)
    if (event !== undefined && running.state().step === 'waiting') {
      askedKept = true
      options.keepAsked?.(rpcRequestText(request))
    }
    tell(event)
  }

  function keep(): void {
    const state = connected()
    if (left || (state === undefined && !kept)) return
    kept = state !== undefined
    options.keep?.(state && storedNow(state))
  }

  const storedNow = ({ page, acting }: Connected) =>
    formatStoredSession({
      bridge,
      key: beginning.key,
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
    person,
    server,
    wishes,
    walletId,
    now,
    after,
    keep,
    accounts: options.accounts,
    introduction: options.introduction,
    chainId: options.chainId,
    accountsOf: fresh,
    deadline: {
      at: () => expiresAt,
      extend() {
        expiresAt = now() + durationMs
      },
    },
  })

  const { promise: ended, resolve: over } = Promise.withResolvers<Awaited<WalletSession['ended']>>()
  const running: RunningFlow<WalletState, WalletEvent> = runFlow(
    walletSession,
    { resumed: resumed && { page: resumed.page, acting: resumed.acting } },
    {
      ...services,
      async close(command, signal) {
        if (askedKept && !kept) options.keepAsked?.(undefined)
        await services.close(command, signal)
        const state = running.state()
        if (state.step === 'ended') over({ how: state.how, message: state.message })
      },
    },
    report,
  )

  const again = parseRpc(options.asked ?? '')
  if (again?.kind === 'request') asked(again)
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
        throw new WalletError('not-connected', 'There is no page to tell. Connect to one first.')
      }
      const fault = invalidPreference(acting, { ...wishes, groupAddress: undefined })
      if (fault !== undefined) throw new WalletError('account-mismatch', fault.message)
      running.send({ type: 'actingChanged', acting, accounts: await fresh(acting) })
    },
    resetTimeout(seconds) {
      durationMs = seconds * 1000
      expiresAt = now() + durationMs
      keep()
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

function heardOnHandshake(request: ReceivedRequest): WalletEvent | undefined {
  const asked = parseSessionRequest(request)
  return asked && { type: 'sessionAsked', asked: { ...asked, idText: request.idText } }
}

function heardOnOwnTopic(request: ReceivedRequest): WalletEvent | undefined {
  const update = parseSessionUpdate(request)
  if (update?.kind === 'ended') return { type: 'pageEnded' }
  // An update is never answered, and what the page says of accounts changes nothing here.
  return request.method === SESSION_UPDATE ? undefined : { type: 'requestArrived', request }
}

/** A defect must be seen: where nobody listens for it, it is thrown where nothing catches it. */
function surface(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
