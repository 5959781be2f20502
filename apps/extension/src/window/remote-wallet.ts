import { ApiError } from '@portico/client/api-error'
import type { DeviceKeyKeeper, DeviceRequestSource } from '@portico/wallet-kit/device-wallet'
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
  WINDOW_PORT,
} from '../wallet-calls.ts'

/** How often a call is sent if the worker is stopped before it answers. */
const ATTEMPTS = 4

/** Less than the 30 seconds without events after which a worker is stopped. */
const KEEP_ALIVE_MS = 20_000

/** The worker's key keeper and request source, for a window of the extension. */
export interface RemoteWallet {
  readonly keeper: DeviceKeyKeeper
  readonly source: DeviceRequestSource
  /** Settles when the worker has sent its state for the first time. */
  readonly ready: Promise<void>
}

/** Connects a window to the worker, again and again if the browser stops it. */
export function remoteWallet({ runtime }: Pick<BrowserApi, 'runtime'>): RemoteWallet {
  const vaultListeners = new Set<() => void>()
  const sourceListeners = new Set<() => void>()
  const { promise: ready, resolve: onReady } = Promise.withResolvers<void>()
  let snapshot: WalletSnapshot = {
    prompt: null,
    waiting: 0,
    decided: null,
    returnUrl: null,
    sites: [],
    vaultVersion: 0,
  }

  function received(next: WalletSnapshot): void {
    const isVaultChanged = next.vaultVersion !== snapshot.vaultVersion
    snapshot = next
    onReady()
    for (const listener of sourceListeners) listener()
    if (isVaultChanged) for (const listener of vaultListeners) listener()
  }

  let port: chrome.runtime.Port

  function connect(): void {
    port = runtime.connect({ name: WINDOW_PORT })
    port.onMessage.addListener((message: WalletSnapshot) => received(message))
    // Connecting starts the worker.
    port.onDisconnect.addListener(connect)
  }

  connect()
  setInterval(() => port.postMessage('still open'), KEEP_ALIVE_MS)

  async function call(sent: WalletCall): Promise<unknown> {
    const name = 'keeper' in sent ? sent.keeper : sent.source
    for (let attempt = 1; ; attempt += 1) {
      const response = await runtime
        .sendMessage<WalletCall, WalletResponse | undefined>(sent)
        .catch(() => undefined)
      if (response !== undefined) return valueOf(response)
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
  const source = Object.fromEntries(
    Object.keys(SOURCE_CALLS).map((name) => [name, sourceCall(name as SourceCall)]),
  )

  return {
    ready,
    // The worker calls the functions of these names, and this repository builds both sides together.
    keeper: { ...keeper, subscribe: subscribeTo(vaultListeners) } as unknown as DeviceKeyKeeper,
    source: {
      ...source,
      prompt: () => snapshot.prompt ?? undefined,
      waiting: () => snapshot.waiting,
      decided: () => snapshot.decided ?? undefined,
      returnUrl: () => snapshot.returnUrl ?? undefined,
      sites: () => snapshot.sites,
      subscribe: subscribeTo(sourceListeners),
    } as unknown as DeviceRequestSource,
  }
}

const subscribeTo = (listeners: Set<() => void>) => (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
