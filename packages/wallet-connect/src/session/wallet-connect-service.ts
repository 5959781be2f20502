import { type RunningFlow, runFlow } from '@portico/flow'
import { RPC_ERRORS, WalletError } from '../protocol/errors.ts'
import { fieldsIn, textOf } from '../protocol/fields.ts'
import { newRpcId } from '../protocol/json-rpc.ts'
import { browserPorts } from './browser-ports.ts'
import {
  type ModalData,
  relayAddress,
  type SessionConfig,
  type Settings,
  sessionConfig,
  type WalletConnectConfig,
} from './config.ts'
import { createEmitter, type Emitter } from './emitter.ts'
import {
  type BroadcastEventData,
  type BroadcastEventName,
  type OperationResult,
  WALLET_APP_EVENTS,
} from './events.ts'
import { attemptPlan, type InitMethod, positive } from './init-options.ts'
import { serveHostedFrames } from './launch/hosted-frame.ts'
import { isWalletId, WALLET_APP_IDS, type WalletId } from './launch/wallet-addresses.ts'
import { type WalletCatalog, walletCatalog } from './launch/wallet-catalog.ts'
import type { Wallet } from './launch/wallet-list.ts'
import { loadConversation } from './link.ts'
import {
  endingEvent,
  failure,
  type Operation,
  type OperationContext,
  type Outcome,
  removePendingMethod,
  type SendMessageMethod,
  sendMessage,
  signHexMessage,
  signJwt,
  switchToGroup,
} from './operations.ts'
import type { SessionPorts, Stop } from './ports.ts'
import { loadQrEncoder } from './qr-image.ts'
import { type Event, FRAME_REPLACED, type State, sessionFlow } from './session.flow.ts'
import { expire, type SessionContext, sessionServices } from './session.services.ts'
import { LOCAL_STORAGE_NAMES, readStoredSession } from './stored-session.ts'
import { VERSION, type WCSState, wcsState } from './wcs-state.ts'

interface Running {
  readonly flow: RunningFlow<State, Event>
  readonly context: SessionContext
  readonly stops: readonly Stop[]
}

/** 86400 s (§4.1). */
const CONNECTION_TIMEOUT_MS = 86_400_000
/** Limit for `flush` if the relay is unreachable. */
const FLUSH_LIMIT_MS = 1000

/**
 * The wallet session of a page, with the API of the public library. It contains no decisions: those are in the flow table of §4.1, and
 * its services carry them out. Methods are bound, so pages can pass them around.
 */
export class WalletConnectService {
  readonly #config: SessionConfig
  readonly #ports: SessionPorts
  readonly #emitter: Emitter
  readonly #subscribers = new Set<() => void>()
  #running: Running | undefined
  readonly #initial: WCSState
  readonly #catalog: WalletCatalog
  #last: State
  #cachedState: { state: State; publicState: WCSState } | undefined
  #attempts = 0
  /** How often another tab has opened the hosted wallet, which closes this tab's frame. */
  #frameReplacements = 0
  #updateContext: ((state: WCSState) => void) | undefined
  #logs = false
  #lastInit: InitMethod = {}

  constructor(config: WalletConnectConfig = {}) {
    this.#config = sessionConfig(config)
    this.#ports = { ...browserPorts(), ...config.ports }
    this.#emitter = createEmitter(this.#ports.report)
    this.#last = { step: 'disconnected', settings: this.#defaults() }
    this.#initial = wcsState(this.#last)
    this.#catalog = walletCatalog(this.#config, this.#ports)
    if (config.autostart !== false) this.start()
  }

  /** The current state. The same object until something changes. */
  get state(): WCSState {
    const state = this.#running?.flow.state() ?? this.#last
    if (this.#cachedState?.state !== state) {
      this.#cachedState = { state, publicState: wcsState(state) }
    }
    return this.#cachedState.publicState
  }

  /** The state before a session is restored, for server-side rendering. */
  get initialState(): WCSState {
    return this.#initial
  }

  /** The wallets that the page may start. */
  get wallets(): readonly Wallet[] {
    return this.#catalog.all()
  }

  /** The wallets that can work on this page, with the server's names once the dialog's code is ready. */
  get offeredWallets(): readonly Wallet[] {
    return this.#catalog.offered(this.state.bridge)
  }

  /** The server's name of its mobile wallet, once the dialog's code is ready. */
  get mobileName(): string | undefined {
    return this.#catalog.mobileName()
  }

  /** Restores the session of this origin and starts listening. Does nothing if already started. */
  start = (): void => {
    this.#ensureStarted()
  }

  /** Releases all resources without ending the session; the next `start` restores it. */
  stop = (): void => {
    if (this.#running === undefined) return
    const { flow, context, stops } = this.#running
    this.#running = undefined
    this.#last = { step: 'disconnected', settings: this.#defaults() }
    flow.stop()
    for (const stop of stops) stop()
    context.link?.close({ notifyWallet: false })
    for (const { reject } of context.pendingInits)
      reject(new Error('The wallet session was stopped'))
    for (const changed of this.#subscribers) changed()
  }

  /** Calls back on every state change. */
  subscribe = (changed: () => void): Stop => {
    this.#subscribers.add(changed)
    return () => void this.#subscribers.delete(changed)
  }

  /** Preloads the code that connecting requires, when the user is about to connect. */
  prepare = (): void => {
    for (const part of [loadConversation(), loadQrEncoder()]) {
      // If it fails, `init` tries again and reports the error.
      part.catch(() => undefined)
    }
  }

  /** Starts connecting. Resolves when the QR code is ready, not when the wallet has approved. */
  init = (options: InitMethod = {}): Promise<'initialized'> => {
    const { flow, context } = this.#ensureStarted()
    const attempt = this.#nextAttempt()
    const { connectionTimeoutMs } = flow.state().settings
    const bridge = options.bridge && relayAddress(options.bridge, this.#ports.href())
    const plan = attemptPlan({ ...options, ...(bridge ? { bridge } : {}) }, connectionTimeoutMs)
    this.#lastInit = options
    return new Promise((resolve, reject) => {
      context.pendingInits = [...context.pendingInits, { attempt, resolve, reject }]
      flow.send({ type: 'initRequested', attempt, plan })
    })
  }

  /** The former name of `init`. */
  connect = (options: InitMethod = {}): Promise<'initialized'> => this.init(options)

  /** Ends the session or the connection attempt. */
  disconnect = (message?: string): Promise<string | undefined> => {
    this.#ensureStarted().flow.send({ type: 'disconnectRequested', message })
    return Promise.resolve(message)
  }

  /**
   * Settles when the last message has been sent, or after a second. A page that ends the session and navigates away
   * must wait for it, or the wallet is not notified.
   */
  flush = async (): Promise<void> => {
    const { flow, context } = this.#ensureStarted()
    const { link } = context
    if (flow.state().step !== 'disconnected') return
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const stop = this.#ports.after(FLUSH_LIMIT_MS, resolve)
    await Promise.race([link?.closed, late])
    stop()
  }

  /** Signs and broadcasts a transaction. */
  sendMessage = (options: SendMessageMethod) =>
    this.#operate((context) => sendMessage(options, context))

  /** Signs bytes, given in hexadecimal. */
  signHexMessage = (hexMessage: string, { customId }: { customId?: string } = {}) =>
    this.#operate((context) => signHexMessage(hexMessage, { ...context, customId }))

  /** Signs an identity token with this lifetime in seconds, and stores it in the state. */
  signJWT = (expires?: number, { customId }: { customId?: string } = {}) =>
    this.#operate((context) => {
      const token = {
        expiresS: expires,
        issuer: this.#config.issuer ?? new URL(this.#ports.href()).hostname,
        group: this.state.representedGroupPolicy?.address,
      }
      return signJwt(token, { ...context, customId })
    })

  /** Switches the wallet to a group, or back to the individual. */
  switchToGroup = (groupPolicyAddress?: string, description?: string) =>
    this.#operate((context) => switchToGroup(groupPolicyAddress, description, context))

  /** Withdraws the pending operation with this `customId`. */
  removePendingMethod = async (customId: string) => {
    const result = await this.#operate((context) => removePendingMethod(customId, context))
    if (result.valid) this.#withdraw(customId)
    return result
  }

  /** Restarts the connection timeout, with a new duration in seconds or the current one. */
  resetConnectionTimeout = (connectionTimeout?: number): void => {
    const seconds = positive(connectionTimeout)
    const connectionTimeoutMs = seconds === undefined ? undefined : seconds * 1000
    this.#ensureStarted().flow.send({
      type: 'timeoutReset',
      connectionTimeoutMs,
      now: this.#ports.now(),
    })
  }

  /** Sets the wallet that the user chose. */
  setWalletAppId = (id: WalletId): void => {
    if (isWalletId(id)) this.#ensureStarted().flow.send({ type: 'walletChosen', walletAppId: id })
  }

  /** Changes the dialog. Closing it before a wallet is connected ends the attempt (§4.1). */
  updateModal = ({
    walletAppId,
    ...modal
  }: Partial<ModalData> & { walletAppId?: WalletId }): void => {
    this.#ensureStarted().flow.send({ type: 'modalChanged', modal, walletAppId })
  }

  /** Adds a listener for an event of the session. */
  addListener = <Name extends BroadcastEventName>(
    event: Name,
    callback: (data: BroadcastEventData[Name]) => void,
  ): void => this.#emitter.add(event, callback)

  /** Removes a listener, or all listeners of all events. */
  removeListener = <Name extends BroadcastEventName>(
    event: Name | 'all',
    callback?: (data: BroadcastEventData[Name]) => void,
  ): void => {
    // As in the public library, only 'all' works without a callback.
    if (event === 'all' || callback !== undefined) this.#emitter.remove(event, callback)
  }

  /** Logs requests to the wallet to the console, but never the signed content. */
  setLogging = (logs: boolean): void => {
    this.#logs = logs
  }

  /** Reads storage again. The session detects changes by other tabs itself; this is for pages that forward storage events. */
  handleLocalStorageChange = ({ key }: Pick<StorageEvent, 'key'>): void => this.#storageChanged(key)

  /** Calls back with each new state. A new callback replaces the previous one. */
  setContextUpdater = (update: (state: WCSState) => void): void => {
    this.#updateContext = update
  }

  #ensureStarted(): Running {
    this.#running ??= this.#createSession()
    return this.#running
  }

  #createSession(): Running {
    const ports = this.#ports
    const defaults = this.#defaults()
    const stored = readStoredSession(ports.storage)
    const attempt = this.#nextAttempt()
    const context: SessionContext = {
      config: this.#config,
      ports,
      // After `stop` nothing is emitted, because a new instance of the session may already be running.
      emit: (event, data) => {
        if (this.#running?.context === context) this.#emitter.emit(event, data)
      },
      state: () => flow.state(),
      send: (event) => flow.send(event),
      catalog: this.#catalog,
      link: undefined,
      pendingInits: [],
    }
    const flow = runFlow(
      sessionFlow(defaults),
      { defaults, now: ports.now(), stored: stored && { attempt, restorable: stored.restorable } },
      sessionServices(context),
      ports.report,
    )
    flow.subscribe(() => {
      for (const changed of this.#subscribers) changed()
      this.#updateContext?.(this.state)
    })
    const stops = [
      ports.onStorageChange((key) => this.#storageChanged(key)),
      ports.onOwnMessage((data) => this.#messageArrived(data)),
      // An attempt without its frame would wait forever; a connection continues in the other tab's frame.
      serveHostedFrames(this.#config.wallets, () => {
        this.#frameReplacements += 1
        flow.send({ type: 'frameReplaced' })
      }),
    ]
    exposeForDebugging(() => this.state)
    return { flow, context, stops }
  }

  #nextAttempt(): number {
    this.#attempts += 1
    return this.#attempts
  }

  #defaults(): Settings {
    return {
      bridge: relayAddress(this.#config.bridge, this.#ports.href()),
      connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
      iframeParentId: '',
      modal: {
        dynamicUrl: '',
        isMobile: this.#ports.isMobile(),
        QRCodeImg: '',
        QRCodeUrl: '',
        showModal: false,
      },
      walletAppId: undefined,
    }
  }

  /** Reads storage instead of the event's value, which may be out of date. */
  #storageChanged(key: string | null): void {
    const ours: readonly (string | null)[] = [null, ...Object.values(LOCAL_STORAGE_NAMES)]
    if (this.#running === undefined || !ours.includes(key)) return
    const { flow } = this.#running
    const stored = readStoredSession(this.#ports.storage)
    if (stored === undefined) return flow.send({ type: 'sessionRemoved' })
    const { restorable } = stored
    // Partly written or expired: the other tab is about to complete or remove it.
    if (restorable === undefined || this.#ports.now() >= restorable.session.connectionEXP) return
    flow.send({ type: 'sessionFound', attempt: this.#nextAttempt(), restorable })
  }

  /** §4.1: a message event named reinitConnection restarts the extension connection, even while connected. */
  #messageArrived(data: unknown): void {
    const { type, event, name } = fieldsIn(data)
    if (![data, type, event, name].includes('reinitConnection')) return
    const walletAppId = this.#lastInit.walletAppId ?? this.state.walletAppId
    if (walletAppId !== WALLET_APP_IDS.FIGURE_EXTENSION) return
    if (this.state.connected) void this.disconnect()
    this.init({ ...this.#lastInit, walletAppId }).catch(this.#ports.report)
  }

  async #operate<Result>(
    prepare: (operationContext: OperationContext) => Operation<Result>,
  ): Promise<OperationResult<Result>> {
    const { flow, context } = this.#ensureStarted()
    const { ports } = context
    expire(context)
    const { address, publicKey } = this.state
    const id = newRpcId()
    const operation = prepare({
      id,
      now: ports.now(),
      address,
      publicKey,
      redirectUrl: ports.returnHref(),
    })
    this.#log(operation, 'requested')
    const outcome = await this.#outcomeOf(operation)
    const result = { ...outcome, request: operation.request }
    const event = endingEvent(operation.method, outcome)
    const signedJWT =
      operation.method === 'signJWT' ? textOf(fieldsIn(outcome.result)['signedJWT']) : undefined
    flow.send({ type: 'operationEnded', id, event, data: result, signedJWT, now: ports.now() })
    this.#log(operation, outcome.error === undefined ? 'done' : 'failed')
    return result
  }

  async #outcomeOf<Result>(operation: Operation<Result>): Promise<Outcome<Result>> {
    const { flow, context } = this.#ensureStarted()
    const { link, config } = context
    const { method, request, customId, refusal, eventData: data } = operation
    const state = flow.state()
    if (state.step !== 'connected' || link === undefined) return failure('No wallet connected')
    if (refusal !== undefined) return failure(refusal)
    flow.send({ type: 'operationStarted', operation: { id: request.id, method, customId } })
    const { walletAppId, iframeParentId } = state.settings
    const replacements = this.#frameReplacements
    this.wallets
      .find(({ id }) => id === walletAppId)
      ?.eventAction?.({ event: WALLET_APP_EVENTS.EVENT, data, iframeParentId })
    try {
      const { result, verify } = await link.request(request, config.requestTimeoutMs)
      return operation.outcomeOf(result, verify)
    } catch (error) {
      const message = error instanceof WalletError ? error.message : String(error)
      // The wallet in the other tab's frame only says that the request was not answered.
      const isReplaced =
        message === RPC_ERRORS.requestUnanswered.message && replacements < this.#frameReplacements
      // Pages written for the public library display this text, so its format must not change.
      return failure(`Error: ${isReplaced ? FRAME_REPLACED : message}`)
    }
  }

  #withdraw(customId: string): void {
    const state = this.#ensureStarted().flow.state()
    if (state.step !== 'connected') return
    for (const { id } of state.operations.filter((each) => each.customId === customId)) {
      this.#running?.context.link?.withdraw(id)
    }
  }

  #log({ method, request }: Pick<Operation, 'method' | 'request'>, what: string): void {
    if (!this.#logs) return
    this.#ports.log(`${method} | ${what}`, { id: request.id, method: request.method })
  }
}

/** The public library's global for inspecting a session in the console. */
function exposeForDebugging(getState: () => WCSState): void {
  if (typeof window === 'undefined' || Reflect.has(window, 'wcjs')) return
  Reflect.set(window, 'wcjs', { getState, version: VERSION })
}
