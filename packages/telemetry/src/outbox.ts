/**
 * Events that wait to be sent, each under a key of its own, so that tabs do not undo what others keep. They survive
 * leaving the page and being offline, and are bounded in number, size and age: the oldest go first.
 */
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { EventPayload, SessionKey } from '@portico/contracts/telemetry'
import { parsedJson } from './parsed-json.ts'
import type { Platform } from './platform.ts'
import { sessionKeyIn } from './session-key.ts'

/** How many events wait at most. */
export const EVENTS_MAXIMUM = 100
/** And how many characters they take together: what may still be sent while a page is left is hardly more. */
export const CHARACTERS_MAXIMUM = 48 * 1024
/** How long one waits at most. */
export const EVENT_AGE_MS = 3 * 24 * 60 * 60 * 1000

const PREFIX = `${STORAGE_KEYS.telemetry}.event.`

/** An event before it is known in which session it goes out. */
export type Draft = Omit<EventPayload, 'sessionKey'> & Partial<Pick<EventPayload, 'sessionKey'>>

/** An event that waits; its id makes a second sending of it the same. */
export interface WaitingEvent {
  readonly id: string
  readonly at: number
  readonly event: Draft
  readonly characters: number
}

/** The events that wait. */
export interface Outbox {
  readonly add: (event: Draft) => void
  /** All of them, those of other tabs and earlier pages too, oldest first. */
  readonly all: () => readonly WaitingEvent[]
  /** Writes down in which session an event goes out, so that a second sending names the same; or takes it out again. */
  readonly assign: (waiting: WaitingEvent, sessionKey: SessionKey | undefined) => void
  readonly remove: (id: string) => void
}

/** Opens the outbox of a browser. */
export function openOutbox({
  storage,
  clock,
  randomId,
}: Pick<Platform, 'storage' | 'clock' | 'randomId'>): Outbox {
  let last = 0

  function read(key: string): WaitingEvent | undefined {
    const text = storage.read(key) ?? ''
    const { at, event } = parsedJson(text)
    if (typeof at !== 'number' || Math.abs(clock() - at) > EVENT_AGE_MS || !isDraft(event)) {
      storage.remove(key)
      return undefined
    }
    return { at, event, id: key.slice(PREFIX.length), characters: text.length }
  }

  function all(): readonly WaitingEvent[] {
    return storage
      .keys()
      .filter((key) => key.startsWith(PREFIX))
      .map(read)
      .filter((waiting) => waiting !== undefined)
      .toSorted((one, other) => one.at - other.at)
  }

  function keep(id: string, kept: Pick<WaitingEvent, 'at' | 'event'>): void {
    storage.keep(`${PREFIX}${id}`, JSON.stringify(kept))
  }

  return {
    all,
    add(event) {
      // What happens within one millisecond keeps its order.
      last = Math.max(clock(), last + 1)
      keep(randomId(), { at: last, event })
      let [count, characters] = [0, 0]
      for (const waiting of all().toReversed()) {
        count += 1
        characters += waiting.characters
        if (count > EVENTS_MAXIMUM || characters > CHARACTERS_MAXIMUM) {
          storage.remove(`${PREFIX}${waiting.id}`)
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

/** Whether a stored value may be an event: the server looks closer, and what it refuses is not kept. */
function isDraft(value: unknown): value is Draft {
  const { event, sessionKey } = (value ?? {}) as Readonly<Record<string, unknown>>
  return (
    typeof event === 'string' &&
    (sessionKey === undefined || sessionKeyIn(sessionKey) !== undefined)
  )
}
