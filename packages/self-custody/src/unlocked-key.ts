/** The data key while the wallet is unlocked, with its auto-lock time. */
import type { IdleMinutes } from '@portico/wallet-kit/device-wallet'
import { IDLE_MINUTES } from '@portico/wallet-kit/device-wallet'

/** Stores bytes in memory, or where they outlive the process but not the browser. */
export interface UnlockedKeyStore {
  readonly read: () => Promise<Uint8Array | undefined>
  /** Stores a copy of the bytes. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  readonly clear: () => Promise<void>
}

/** Stores the unlocked key in this page's memory. */
export function memoryKeyStore(): UnlockedKeyStore {
  let stored: Uint8Array | undefined
  const clear = () => {
    stored?.fill(0)
    stored = undefined
  }
  return {
    read: async () => stored && Uint8Array.from(stored),
    async write(bytes) {
      clear()
      stored = Uint8Array.from(bytes)
    },
    clear: async () => clear(),
  }
}

/** The key of an unlocked vault. */
interface Unlocked {
  readonly vaultId: string
  readonly dataKey: Uint8Array<ArrayBuffer>
  readonly idleMinutes: IdleMinutes
}

export interface UnlockedKey {
  /** The key, if the wallet is unlocked. The caller overwrites it after use. */
  readonly read: () => Promise<Unlocked | undefined>
  /** Unlocks, or changes the idle time. */
  readonly write: (unlocked: Unlocked) => Promise<void>
  /** Restarts the idle time if the wallet is unlocked. */
  readonly extend: () => Promise<void>
  readonly clear: () => Promise<void>
}

const MINUTE_MS = 60_000

/** Clocks are sometimes corrected by a few seconds; anything more means the clock was set back. */
const CLOCK_TOLERANCE_MS = 5000

// The bytes: the data key, the time to lock and the latest time seen (in epoch milliseconds), the idle minutes, the vault's id.
const DATA_KEY_BYTES = 32
const LOCK_AT = 32
const SEEN_AT = 40
const MINUTES = 48
const VAULT_ID = 49

/**
 * Compares the lock time with the clock at every use, because timers do not run while the process is stopped. Also locks if
 * the clock was set back, which would otherwise extend the idle time. `onExpired` is called when the idle time has passed.
 */
export function unlockedKey(
  store: UnlockedKeyStore,
  clock: () => number,
  onExpired: () => void,
): UnlockedKey {
  let queue: Promise<unknown> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  let lockAt = 0

  /** One access at a time, so that none restores a key that another has cleared. */
  function exclusive<Result>(access: () => Promise<Result>): Promise<Result> {
    const result = queue.then(access)
    queue = result.catch(() => undefined)
    return result
  }

  async function clear(): Promise<void> {
    clearTimeout(timer)
    await store.clear()
  }

  async function write({ vaultId, dataKey, idleMinutes }: Unlocked): Promise<void> {
    const now = clock()
    lockAt = now + idleMinutes * MINUTE_MS
    const id = new TextEncoder().encode(vaultId)
    const bytes = new Uint8Array(VAULT_ID + id.length)
    const view = new DataView(bytes.buffer)
    bytes.set(dataKey)
    view.setFloat64(LOCK_AT, lockAt)
    view.setFloat64(SEEN_AT, now)
    view.setUint8(MINUTES, idleMinutes)
    bytes.set(id, VAULT_ID)
    await store.write(bytes)
    bytes.fill(0)
    lockLater()
  }

  /** Clears the memory even without another use. Where timers do not run, the next use clears it. */
  function lockLater(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void exclusive(lockOnTime), lockAt - clock())
  }

  async function lockOnTime(): Promise<void> {
    const unlocked = await current()
    if (unlocked === undefined) return
    // The timer was early, or the clock was corrected.
    unlocked.dataKey.fill(0)
    lockLater()
  }

  async function current(): Promise<Unlocked | undefined> {
    const bytes = await store.read()
    if (bytes === undefined) return undefined
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const minutes = bytes.length > VAULT_ID ? view.getUint8(MINUTES) : 0
    const idleMinutes = IDLE_MINUTES.find((each) => each === minutes)
    const now = clock()
    const isOver =
      idleMinutes === undefined ||
      now >= view.getFloat64(LOCK_AT) ||
      now < view.getFloat64(SEEN_AT) - CLOCK_TOLERANCE_MS
    if (isOver) {
      bytes.fill(0)
      await clear()
      onExpired()
      return undefined
    }
    if (now > view.getFloat64(SEEN_AT)) {
      view.setFloat64(SEEN_AT, now)
      await store.write(bytes)
    }
    const unlocked = {
      vaultId: new TextDecoder().decode(bytes.subarray(VAULT_ID)),
      dataKey: Uint8Array.from(bytes.subarray(0, DATA_KEY_BYTES)),
      idleMinutes,
    }
    bytes.fill(0)
    return unlocked
  }

  return {
    read: () => exclusive(current),
    write: (unlocked) => exclusive(() => write(unlocked)),
    extend: () =>
      exclusive(async () => {
        const unlocked = await current()
        if (unlocked === undefined) return
        await write(unlocked)
        unlocked.dataKey.fill(0)
      }),
    clear: () => exclusive(clear),
  }
}
