import { ApiError } from '@portico/client/api-error'
import type { VaultKeeper } from '@portico/self-custody/vault-keeper'
import { windowKeeper } from '@portico/self-custody/window-keeper'
import type {
  ConnectFailure,
  DeviceKeyKeeper,
  DeviceRequestSource,
} from '@portico/wallet-kit/device-wallet'
import type { BrowserApi } from '../browser-api.ts'
import {
  KEEPER_CALLS,
  type KeeperCall,
  NOT_REPEATABLE,
  SOURCE_CALLS,
  type SourceCall,
  valueOf,
  type WalletCall,
  type WalletResponse,
  type WalletSnapshot,
  WINDOW_CLOSING,
  WINDOW_PORT,
  type WorkerMessage,
} from '../wallet-calls.ts'

/** How often a call is sent if the worker is stopped before it answers. */
const ATTEMPTS = 5

/** Less than the 30 seconds without events after which a worker is stopped. The response also shows whether the port is alive. */
const KEEP_ALIVE_MS = 20_000

/** How long a worker that was started again takes to read its stored requests. */
const RESUME_MS = 2000

/** How long a worker may take to send its state. One that was stopped while it started leaves its port open, and sends nothing. */
const START_LIMIT_MS = 4000

/** The pause after a second connection in a row that ended without a message; each further one is longer. */
const RECONNECT_MS = 100

/**
 * How many connections in a row may end without a message before a window that shows nothing closes. In Firefox, every connection
 * of a window that opened during an update ends at once, even after a reload. The new version opens its own window.
 */
const MAX_FAILURES = 5

/** The worker's request source, for a window of the extension. */
interface RemoteRequests extends DeviceRequestSource {
  /** The number of requests, including those that wait for the wallet to be unlocked. */
  readonly waiting: () => number
  /** The number of connections that are being established. */
  readonly connecting: () => number
  /** Why the last page that started the wallet could not be connected. */
  readonly connectFailure: () => ConnectFailure | undefined
}

/** The worker's key keeper and request source, for a window of the extension. */
export interface RemoteWallet {
  readonly keeper: DeviceKeyKeeper
  readonly requests: RemoteRequests
  /** Settles when the worker has sent its state for the first time. */
  readonly ready: Promise<void>
  /** Closes the window. If a request arrives in the meantime, the worker opens it again. */
  readonly close: () => void
}

/** Connects a window to the worker, and again each time that the browser has stopped the worker. */
export function remoteWallet({ runtime }: Pick<BrowserApi, 'runtime'>): RemoteWallet {
  const vaultListeners = new Set<() => void>()
  const requestListeners = new Set<() => void>()
  const { promise: ready, resolve: onReady } = Promise.withResolvers<void>()
  let snapshot: WalletSnapshot | undefined
  /** While a new worker reads its stored requests: its last snapshot without them. */
  let resuming: { skipped: WalletSnapshot | undefined } | undefined

  function received(next: WalletSnapshot): void {
    if (resuming !== undefined && snapshot?.prompt != null && next.prompt === null) {
      // The approval on the screen stays.
      resuming.skipped = next
      return
    }
    resuming = undefined
    const isVaultChanged =
      next.workerId !== snapshot?.workerId || next.vaultVersion !== snapshot.vaultVersion
    snapshot = next
    onReady()
    for (const listener of requestListeners) listener()
    if (isVaultChanged) for (const listener of vaultListeners) listener()
  }

  let port: chrome.runtime.Port | undefined
  /** The worker at the other end of the port; undefined until it has sent its state. */
  let connectedWorkerId: string | undefined
  let failures = 0
  /** Interrupt the calls that the worker has not answered. If it was stopped, Firefox may never settle them. */
  const pending = new Set<(response: undefined) => void>()

  function connect(): void {
    const connected = runtime.connect({ name: WINDOW_PORT })
    port = connected
    const late = setTimeout(abandonPort, START_LIMIT_MS)
    connected.onMessage.addListener((message: WalletSnapshot) => {
      clearTimeout(late)
      failures = 0
      connectedWorkerId = message.workerId
      received(message)
    })
    connected.onDisconnect.addListener(() => {
      clearTimeout(late)
      if (port === connected) reconnect()
    })
  }

  function abandonPort(): void {
    port?.disconnect()
    reconnect()
  }

  /** Connecting starts the worker again. */
  function reconnect(): void {
    for (const interrupt of pending) interrupt(undefined)
    const current = { skipped: undefined as WalletSnapshot | undefined }
    resuming = current
    setTimeout(() => {
      if (resuming !== current) return
      resuming = undefined
      if (current.skipped !== undefined) received(current.skipped)
    }, RESUME_MS)
    port = undefined
    connectedWorkerId = undefined
    failures += 1
    if (failures === 1) connect()
    else if (failures > MAX_FAILURES && snapshot === undefined) window.close()
    else setTimeout(connect, Math.min(failures, MAX_FAILURES) * RECONNECT_MS)
  }

  connect()
  setInterval(() => void call({ keeper: 'vault', args: [] }).catch(() => undefined), KEEP_ALIVE_MS)

  async function call(sent: WalletCall): Promise<unknown> {
    const name = 'keeper' in sent ? sent.keeper : sent.source
    for (let attempt = 1; ; attempt += 1) {
      const { promise: isInterrupted, resolve: interrupt } = Promise.withResolvers<undefined>()
      pending.add(interrupt)
      const response = await Promise.race([
        runtime
          .sendMessage<WalletCall, (WalletResponse & WorkerMessage) | undefined>(sent)
          // The worker was stopped before it answered.
          .catch(() => undefined),
        isInterrupted,
      ])
      pending.delete(interrupt)
      if (response !== undefined) {
        const isOther = connectedWorkerId !== undefined && response.workerId !== connectedWorkerId
        if (isOther) abandonPort()
        return valueOf(response)
      }
      if (attempt === ATTEMPTS || NOT_REPEATABLE.has(name)) {
        throw new ApiError('unreachable', 'The wallet did not respond. Please try again.')
      }
    }
  }

  const keeperCall =
    (keeper: KeeperCall) =>
    (...args: readonly unknown[]) =>
      call({ keeper, args: args.map((arg) => arg ?? null) })
  const sourceCall =
    (source: SourceCall) =>
    (...args: readonly unknown[]) =>
      call({ source, args: args.map((arg) => arg ?? null) })

  const keeper = Object.fromEntries(
    Object.keys(KEEPER_CALLS).map((name) => [name, keeperCall(name as KeeperCall)]),
  )
  const requests = Object.fromEntries(
    Object.keys(SOURCE_CALLS).map((name) => [name, sourceCall(name as SourceCall)]),
  )

  return {
    ready,
    close() {
      port?.postMessage(WINDOW_CLOSING)
      window.close()
    },
    // The worker carries out the calls of these names, and both sides are built together.
    keeper: windowKeeper({
      ...keeper,
      subscribe: subscribeTo(vaultListeners),
    } as unknown as VaultKeeper),
    requests: {
      ...requests,
      prompt: () => snapshot?.prompt ?? undefined,
      decided: () => snapshot?.decided ?? undefined,
      pageReturn: () => snapshot?.pageReturn ?? undefined,
      sites: () => snapshot?.sites ?? [],
      waiting: () => snapshot?.waiting ?? 0,
      connecting: () => snapshot?.connecting ?? 0,
      connectFailure: () => snapshot?.connectFailure ?? undefined,
      subscribe: subscribeTo(requestListeners),
    } as unknown as RemoteRequests,
  }
}

const subscribeTo = (listeners: Set<() => void>) => (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
