/**
 * A wallet's storage in a page: IndexedDB, shared by all windows and workers of the origin. A lock makes each change atomic
 * across them. Writes are flushed to disk before they resolve, because a transaction is stored before it is sent.
 */
import { Refusal } from '@portico/contracts/errors'
import type { DeviceStore } from '@portico/wallet-kit/device-wallet'

const VALUES = 'values'

export function browserStore(name: string): DeviceStore {
  const listeners = new Map<string, Set<() => void>>()
  // Messages from other windows; a channel does not receive its own.
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
    typeof data === 'string' ? notify(data) : undefined,
  )
  let opened: Promise<IDBDatabase> | undefined

  function notify(key: string): void {
    for (const listener of listeners.get(key) ?? []) listener()
  }

  function database(): Promise<IDBDatabase> {
    opened ??= openDatabase(name).then(
      (connection) => {
        // Closed by the browser, or to let another window delete the database.
        const drop = () => {
          connection.close()
          opened = undefined
        }
        connection.addEventListener('close', drop)
        connection.addEventListener('versionchange', drop)
        return connection
      },
      (error: unknown) => {
        opened = undefined
        throw error
      },
    )
    return opened
  }

  async function read(key: string): Promise<string | undefined> {
    const values = (await database()).transaction(VALUES).objectStore(VALUES)
    const value: unknown = await resultOf(values.get(key))
    return typeof value === 'string' ? value : undefined
  }

  return {
    read,
    async update(key, change) {
      const isChanged = await navigator.locks.request(`${name} ${key}`, async () => {
        const stored = await read(key)
        const next = await change(stored)
        if (next === stored) return false
        const transaction = (await database()).transaction(VALUES, 'readwrite', {
          durability: 'strict',
        })
        const values = transaction.objectStore(VALUES)
        if (next === undefined) values.delete(key)
        else values.put(next, key)
        await completion(transaction)
        return true
      })
      // What reads after each notification may write the same value.
      if (!isChanged) return
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has one origin, the page's.
      channel.postMessage(key)
      notify(key)
    },
    subscribe(key, listener) {
      const all = listeners.get(key) ?? new Set()
      listeners.set(key, all.add(listener))
      return () => all.delete(listener)
    },
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(VALUES))
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(unavailable(request.error)))
  })
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(unavailable(request.error)))
  })
}

function completion(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    // A full disk aborts without an error event.
    transaction.addEventListener('abort', () => reject(unavailable(transaction.error)))
  })
}

const unavailable = (cause: unknown) => new Refusal('storage-unavailable', { cause })
