import { type RunningFlow, runFlow } from '@portico/flow'
import { WalletError } from '../protocol/errors.ts'
import { fieldsIn, textOf } from '../protocol/fields.ts'
import { newRpcId } from '../protocol/json-rpc.ts'
import type { BroadcastEventData, OperationResult } from './broadcast-events.ts'
import { browserPorts } from './browser-ports.ts'
import {
  relayAddress,
  type SessionConfig,
  sessionConfig,
  type WalletConnectConfig,
} from './config.ts'
import { createEmitter, type Emitter } from './emitter.ts'
import { attemptPlan, type InitMethod, positive } from './init-options.ts'
import { serveHostedFrames } from './launch/hosted-frame.ts'
import { type Wallet, walletList } from './launch/wallet-list.ts'
import { loadConversation } from './link.ts'
import {
  type Asking,
  endingEvent,
  failure,
  type Operation,
  type Outcome,
} from './operations/operation.ts'
import { type SendMessageMethod, sendMessage } from './operations/send-message.ts'
import { signHexMessage } from './operations/sign-hex-message.ts'
import { signJwt } from './operations/sign-jwt.ts'
import { removePendingMethod, switchToGroup } from './operations/wallet-action.ts'
import type { SessionPorts, Stop } from './ports.ts'
import { loadQrEncoder } from './qr-image.ts'
import { type Event, type State, sessionFlow } from './session.flow.ts'
import { expire, type SessionWorld, sessionServices } from './session.services.ts'
import type { ModalData, Settings } from './settings.ts'
import { LOCAL_STORAGE_NAMES, readStoredSession } from './stored-session.ts'
import { WALLET_APP_EVENTS } from './wallet-app-events.ts'
import { isWalletId, WALLET_APP_IDS, type WalletId } from './wallet-app-ids.ts'
import { VERSION, type WCSState, wcsState } from './wcs-state.ts'
import type { BroadcastEventName } from './window-messages.ts'

interface Running {
  readonly flow: RunningFlow<State, Event>
  readonly world: SessionWorld
  readonly stops: readonly Stop[]
}

/** 86400 s (§4.1). */
const CONNECTION_TIMEOUT_MS = 86_400_000
/** Nobody waits longer than this for a relay that is not there. */
const FAREWELL_LIMIT_MS = 1000

/**
 * The wallet session of a page, under the names of the public library. It decides nothing: the table of §4.1 does, and
 * its services act. Methods are bound, so that a page may hand them on.
 */
export class WalletConnectService {
  readonly #config: SessionConfig
  readonly #ports: SessionPorts
  readonly #emitter: Emitter
  readonly #subscribers = new Set<() => void>()
  #running: Running | undefined
  readonly #initial: WCSState
  readonly #wallets: readonly Wallet[]
  #last: State
  #shown: { of: State; as: WCSState } | undefined
  #attempts = 0
  #updateContext: ((state: WCSState) => void) | undefined
  #logs = false
  #lastInit: InitMethod = {}

  constructor(config: WalletConnectConfig = {}) {
    this.#config = sessionConfig(config)
    this.#ports = { ...browserPorts(), ...config.ports }
    this.#emitter = createEmitter(this.#ports.report)
    this.#last = { step: 'disconnected', settings: this.#defaults() }
    this.#initial = wcsState(this.#last)
    this.#wallets = walletList(this.#config.wallets, this.#ports)
    if (config.autostart !== false) this.start()
  }

  /** The session now. The same object until something changes. */
  get state(): WCSState {
    const of = this.#running?.flow.state() ?? this.#last
    if (this.#shown?.of !== of) this.#shown = { of, as: wcsState(of) }
    return this.#shown.as
  }

  /** The state before anything was restored, as a page shows it while it is rendered on a server. */
  get initialState(): WCSState {
    return this.#initial
  }

  /** The wallets this page can offer. */
  get wallets(): readonly Wallet[] {
    return this.#wallets
  }

  /** Restores the session of this origin and begins to listen. Does nothing where it has begun. */
  start = (): void => {
    this.#begun()
  }

  /** Lets go of everything without ending the session; the next `start` restores it. */
  stop = (): void => {
    if (this.#running === undefined) return
    const { flow, world, stops } = this.#running
    this.#running = undefined
    this.#last = { step: 'disconnected', settings: this.#defaults() }
    world.stopped = true
    flow.stop()
    for (const stop of stops) stop()
    world.link?.close({ goodbye: false })
    for (const { reject } of world.waiting) reject(new Error('The wallet session was stopped'))
    for (const changed of this.#subscribers) changed()
  }

  /** Calls back whenever the state has changed. */
  subscribe = (changed: () => void): Stop => {
    this.#subscribers.add(changed)
    return () => void this.#subscribers.delete(changed)
  }

  /** Loads what connecting needs, on intent; `init` waits for nothing that has come by then. */
  prepare = (): void => {
    for (const part of [loadConversation(), loadQrEncoder()]) {
      // Whoever really begins to connect is told.
      part.catch(() => undefined)
    }
  }

  /** Begins to connect. Resolves when there is a code to scan, not when the wallet has approved. */
  init = (options: InitMethod = {}): Promise<'initialized'> => {
    const { flow, world } = this.#begun()
    const attempt = this.#nextAttempt()
    const { connectionTimeoutMs } = flow.state().settings
    const bridge = options.bridge && relayAddress(options.bridge, this.#ports.href())
    const plan = attemptPlan({ ...options, ...(bridge ? { bridge } : {}) }, connectionTimeoutMs)
    this.#lastInit = options
    return new Promise((resolve, reject) => {
      world.waiting = [...world.waiting, { attempt, resolve, reject }]
      flow.send({ type: 'initAsked', attempt, plan })
    })
  }

  /** The same under its old name. */
  connect = (options: InitMethod = {}): Promise<'initialized'> => this.init(options)

  /** Ends the session, or the attempt to begin one. */
  disconnect = (message?: string): Promise<string | undefined> => {
    this.#begun().flow.send({ type: 'disconnectAsked', message })
    return Promise.resolve(message)
  }

  /**
   * Settles when what was said last has left, or after a second: a page that ends the session and goes elsewhere would
   * otherwise take its goodbye with it.
   */
  farewell = async (): Promise<void> => {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const stop = this.#ports.after(FAREWELL_LIMIT_MS, resolve)
    await Promise.race([this.#begun().world.farewell, late])
    stop()
  }

  /** Asks the wallet to sign and broadcast a transaction. */
  sendMessage = (options: SendMessageMethod) =>
    this.#operate((asking) => sendMessage(options, asking))

  /** Asks the wallet to sign bytes, given in hexadecimal. */
  signHexMessage = (hexMessage: string, { customId }: { customId?: string } = {}) =>
    this.#operate((asking) => signHexMessage(hexMessage, { ...asking, customId }))

  /** Asks the wallet to sign an identity token that lives for so many seconds, and keeps it in the state. */
  signJWT = (expires?: number, { customId }: { customId?: string } = {}) =>
    this.#operate((asking) => {
      const token = {
        expiresS: expires,
        issuer: this.#config.issuer ?? new URL(this.#ports.href()).hostname,
        group: this.state.representedGroupPolicy?.address,
      }
      return signJwt(token, { ...asking, customId })
    })

  /** Asks the wallet to act for a group, or as the individual again. */
  switchToGroup = (groupPolicyAddress?: string, description?: string) =>
    this.#operate((asking) => switchToGroup(groupPolicyAddress, description, asking))

  /** Withdraws an earlier operation that was given this `customId`. */
  removePendingMethod = async (customId: string) => {
    const result = await this.#operate((asking) => removePendingMethod(customId, asking))
    if (result.valid) this.#withdraw(customId)
    return result
  }

  /** Lets the connection last from now on, for so many seconds or for as long as before. */
  resetConnectionTimeout = (connectionTimeout?: number): void => {
    const seconds = positive(connectionTimeout)
    const connectionTimeoutMs = seconds === undefined ? undefined : seconds * 1000
    this.#begun().flow.send({ type: 'timeoutReset', connectionTimeoutMs, now: this.#ports.now() })
  }

  /** Names the wallet that the person chose. */
  setWalletAppId = (id: WalletId): void => {
    if (isWalletId(id)) this.#begun().flow.send({ type: 'walletChosen', walletAppId: id })
  }

  /** Changes what the dialogue shows. Closing it while nothing is connected ends the attempt (§4.1). */
  updateModal = ({
    walletAppId,
    ...modal
  }: Partial<ModalData> & { walletAppId?: WalletId }): void => {
    this.#begun().flow.send({ type: 'modalChanged', modal, walletAppId })
  }

  /** Listens for an event of the session. */
  addListener = <Name extends BroadcastEventName>(
    event: Name,
    callback: (data: BroadcastEventData[Name]) => void,
  ): void => this.#emitter.add(event, callback)

  /** Stops listening: one callback, or all of everything. */
  removeListener = <Name extends BroadcastEventName>(
    event: Name | 'all',
    callback?: (data: BroadcastEventData[Name]) => void,
  ): void => {
    // Without a callback the public library removes nothing but 'all'.
    if (event === 'all' || callback !== undefined) this.#emitter.remove(event, callback)
  }

  /** Writes what is asked of the wallet to the console; never what is signed. */
  setLogging = (logs: boolean): void => {
    this.#logs = logs
  }

  /** Looks at storage again. The session hears other tabs by itself; this is for pages that pass events on. */
  handleLocalStorageChange = ({ key }: Pick<StorageEvent, 'key'>): void => this.#storageChanged(key)

  /** Calls back with each new state; one callback at a time. */
  setContextUpdater = (update: (state: WCSState) => void): void => {
    this.#updateContext = update
  }

  #begun(): Running {
    this.#running ??= this.#begin()
    return this.#running
  }

  #begin(): Running {
    const ports = this.#ports
    const defaults = this.#defaults()
    const stored = readStoredSession(ports.storage)
    const attempt = this.#nextAttempt()
    const world: SessionWorld = {
      config: this.#config,
      ports,
      emitter: this.#emitter,
      state: () => flow.state(),
      send: (event) => flow.send(event),
      link: undefined,
      farewell: Promise.resolve(),
      stopped: false,
      waiting: [],
    }
    const flow = runFlow(
      sessionFlow(defaults),
      { defaults, now: ports.now(), stored: stored && { attempt, found: stored.found } },
      sessionServices(world),
      ports.report,
    )
    flow.subscribe(() => {
      for (const changed of this.#subscribers) changed()
      this.#updateContext?.(this.state)
    })
    const stops = [
      ports.onStorageChange((key) => this.#storageChanged(key)),
      ports.onOwnMessage((data) => this.#messageArrived(data)),
      // An attempt whose panel is gone would wait for ever; a connection goes on in the other panel.
      serveHostedFrames(this.#config.wallets, () => flow.send({ type: 'frameTaken' })),
    ]
    showForDebugging(() => this.state)
    return { flow, world, stops }
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

  /** Storage itself is read, not what the event says: by now it may have changed again. */
  #storageChanged(key: string | null): void {
    const ours: readonly (string | null)[] = [null, ...Object.values(LOCAL_STORAGE_NAMES)]
    if (this.#running === undefined || !ours.includes(key)) return
    const { flow, world } = this.#running
    const stored = readStoredSession(this.#ports.storage)
    if (stored === undefined) return flow.send({ type: 'sessionVanished' })
    const { found, terms } = stored
    // Half written, or over: another tab is about to finish it, and until then nothing of it counts.
    if (found === undefined || this.#ports.now() >= found.session.connectionEXP) return
    const same = world.link?.terms().clientId === terms.clientId
    flow.send({ type: 'sessionFound', attempt: this.#nextAttempt(), found, same })
  }

  /** §4.1: a message event named reinitConnection restarts the extension connection, also one that is connected. */
  #messageArrived(data: unknown): void {
    const { type, event, name } = fieldsIn(data)
    if (![data, type, event, name].includes('reinitConnection')) return
    const walletAppId = this.#lastInit.walletAppId ?? this.state.walletAppId
    if (walletAppId !== WALLET_APP_IDS.FIGURE_EXTENSION) return
    if (this.state.connected) void this.disconnect()
    this.init({ ...this.#lastInit, walletAppId }).catch(this.#ports.report)
  }

  async #operate<Result>(
    prepare: (asking: Asking) => Operation<Result>,
  ): Promise<OperationResult<Result>> {
    const { flow, world } = this.#begun()
    const { ports } = world
    expire(world)
    const { address, publicKey } = this.state
    const id = newRpcId()
    const operation = prepare({ id, now: ports.now(), address, publicKey })
    this.#log(operation, 'asked')
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
    const { flow, world } = this.#begun()
    const { link, config } = world
    const { method, request, customId, refusal, eventData: data } = operation
    const state = flow.state()
    if (state.step !== 'connected' || link === undefined) return failure('No wallet connected')
    if (refusal !== undefined) return failure(refusal)
    flow.send({ type: 'operationBegun', operation: { id: request.id, method, customId } })
    const { walletAppId, iframeParentId } = state.settings
    this.wallets
      .find(({ id }) => id === walletAppId)
      ?.eventAction?.({ event: WALLET_APP_EVENTS.EVENT, data, iframeParentId })
    try {
      const { result, verify } = await link.request(request, config.requestTimeoutMs)
      return operation.judge(result, verify)
    } catch (error) {
      // Pages of the public library show this text, so it keeps its form.
      return failure(`Error: ${error instanceof WalletError ? error.message : String(error)}`)
    }
  }

  #withdraw(customId: string): void {
    const state = this.#begun().flow.state()
    if (state.step !== 'connected') return
    for (const { id } of state.operations.filter((each) => each.customId === customId)) {
      this.#running?.world.link?.withdraw(id)
    }
  }

  #log({ method, request }: Pick<Operation, 'method' | 'request'>, what: string): void {
    if (!this.#logs) return
    this.#ports.log(`${method} | ${what}`, { id: request.id, method: request.method })
  }
}

/** The public library's global, by which people look at a session in the console. */
function showForDebugging(getState: () => WCSState): void {
  if (typeof window === 'undefined' || Reflect.has(window, 'wcjs')) return
  Reflect.set(window, 'wcjs', { getState, version: VERSION })
}
