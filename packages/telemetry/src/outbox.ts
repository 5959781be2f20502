/**
 * Events queued to be sent, each under its own storage key so that tabs do not overwrite each other. They survive
 * navigation and being offline, and are bounded in number, size and age: the oldest are dropped first.
 */
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { EventPayload, SessionKey } from '@portico/contracts/telemetry'
import { parsedJson } from './parsed-json.ts'
import type { Platform } from './platform.ts'
import { parseSessionKey } from './session-key.ts'

export const EVENTS_MAXIMUM = 100
/** The total size; browsers limit keepalive requests to 64 KiB while a page unloads. */
export const CHARACTERS_MAXIMUM = 48 * 1024
export const EVENT_AGE_MS = 3 * 24 * 60 * 60 * 1000

const PREFIX = `${STORAGE_KEYS.telemetry}.event.`

/** An event that may not have a session yet. */
export type Draft = Omit<EventPayload, 'sessionKey'> & Partial<Pick<EventPayload, 'sessionKey'>>

/** An event in the outbox; the server deduplicates by `id`. */
export interface QueuedEvent {
  readonly id: string
  readonly at: number
  readonly event: Draft
  readonly characters: number
}

export interface Outbox {
  readonly add: (event: Draft) => void
  /** All events, including those of other tabs and earlier pages, oldest first. */
  readonly all: () => readonly QueuedEvent[]
  /** Stores the session an event is sent with, so that a retry uses the same one; undefined clears it. */
  readonly assign: (queued: QueuedEvent, sessionKey: SessionKey | undefined) => void
  readonly remove: (id: string) => void
}

export function openOutbox({
  storage,
  clock,
  randomId,
}: Pick<Platform, 'storage' | 'clock' | 'randomId'>): Outbox {
  let last = 0

  function read(key: string): QueuedEvent | undefined {
    const text = storage.read(key) ?? ''
    const { at, event } = parsedJson(text)
    if (typeof at !== 'number' || Math.abs(clock() - at) > EVENT_AGE_MS || !isDraft(event)) {
      storage.remove(key)
      return undefined
    }
    return { at, event, id: key.slice(PREFIX.length), characters: text.length }
  }

  function all(): readonly QueuedEvent[] {
    return storage
      .keys()
      .filter((key) => key.startsWith(PREFIX))
      .map(read)
      .filter((queued) => queued !== undefined)
      .toSorted((one, other) => one.at - other.at)
  }

  function keep(id: string, kept: Pick<QueuedEvent, 'at' | 'event'>): void {
    storage.keep(`${PREFIX}${id}`, JSON.stringify(kept))
  }

  return {
    all,
    add(event) {
      // Events within the same millisecond keep their order.
      last = Math.max(clock(), last + 1)
      keep(randomId(), { at: last, event })
      let [count, characters] = [0, 0]
      for (const queued of all().toReversed()) {
        count += 1
        characters += queued.characters
        if (count > EVENTS_MAXIMUM || characters > CHARACTERS_MAXIMUM) {
          storage.remove(`${PREFIX}${queued.id}`)
        }
      }
    },
    assign({ id, at, event }, sessionKey) {
      const draft: Draft = { ...event }
      if (sessionKey === undefined) delete draft.sessionKey
      else draft.sessionKey = sessionKey
      keep(id, { at, event: draft })
    },
    remove: (id) => storage.remove(`${PREFIX}${id}`),
  }
}

/** A shallow check of a stored value; the server validates events, and rejected ones are removed. */
function isDraft(value: unknown): value is Draft {
  const { event, sessionKey } = (value ?? {}) as Readonly<Record<string, unknown>>
  return (
    typeof event === 'string' &&
    (sessionKey === undefined || parseSessionKey(sessionKey) !== undefined)
  )
}
