import { ApiError } from '@portico/client/api-error'
import { ERROR_CATALOGUE, type ErrorCode } from '@portico/contracts/errors'
import type { KeyedStorage } from './keyed-storage.ts'
import type { Place, Platform } from './platform.ts'

/** A storage that lasts as long as the test, for as many tabs as are given it. */
export function memoryKeyedStorage(kept: Readonly<Record<string, string>> = {}): KeyedStorage & {
  readonly texts: Map<string, string>
} {
  const texts = new Map(Object.entries(kept))
  return {
    texts,
    keys: () => [...texts.keys()],
    read: (key) => texts.get(key),
    keep: (key, text) => void texts.set(key, text),
    remove: (key) => void texts.delete(key),
  }
}

/** What a request is answered with: a value, a failure, or nothing for ever. */
type Answer = (path: string, body: unknown) => Promise<unknown>

/** A request as it was made. */
interface Asked {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/** A browser without a screen, whose clock, network and server are the test's. */
export function fakePlatform(
  parts: {
    readonly storage?: KeyedStorage
    readonly place?: Partial<Place>
    readonly answer?: Answer
    readonly alone?: Platform['alone']
  } = {},
) {
  const asked: Asked[] = []
  const waits: { readonly milliseconds: number; readonly end: () => void }[] = []
  const [leaving, returning] = [new Set<() => void>(), new Set<() => void>()]
  const state = {
    now: 1_800_000_000_000,
    online: true,
    answer: parts.answer ?? wellServed(),
    ids: 0,
  }
  const platform: Platform = {
    async post(path, body, { headers = {} }) {
      asked.push({ path, body: { ...body }, headers })
      return state.answer(path, body)
    },
    storage: parts.storage ?? memoryKeyedStorage(),
    clock: () => state.now,
    wait: (milliseconds) =>
      new Promise((end) => {
        waits.push({ milliseconds, end })
      }),
    chance: () => 0.5,
    randomId: () => uuid((state.ids += 1)),
    place: () => ({
      origin: 'https://login.lender.example',
      hostname: 'login.lender.example',
      search: '',
      referrer: '',
      screenWidth: 1440,
      screenHeight: 900,
      windowWidth: 1200,
      windowHeight: 800,
      ...parts.place,
    }),
    online: () => state.online,
    alone: parts.alone ?? ((work) => work()),
    onLeave: (listener) => void leaving.add(listener),
    onReturn: (listener) => void returning.add(listener),
  }
  return {
    platform,
    asked,
    waits,
    state,
    leave: () => leaving.forEach((listener) => listener()),
    comeBack: () => returning.forEach((listener) => listener()),
    /** The events that were sent, by their paths. */
    sent: () =>
      asked.filter(({ path }) => path.endsWith('/event')).map(({ body }) => body.pagePath),
  }
}

/** A UUID that a number makes. */
export function uuid(number: number): string {
  return `0f8fad5b-d9cb-469f-a165-${String(number).padStart(12, '0')}`
}

/** A server that begins sessions and stores events. */
export function wellServed(): Answer {
  let sessions = 0
  return async (path) => {
    if (!path.endsWith('/session')) return undefined
    sessions += 1
    const sessionKey = { uuid: uuid(sessions), epoch: 1_800_000_000_000, trackerUuid: uuid(0) }
    return { sessionKey }
  }
}

/** What a call throws that the server refuses. */
export function refused(code: ErrorCode, headers: Readonly<Record<string, string>> = {}): ApiError {
  const { status, message } = ERROR_CATALOGUE[code]
  return new ApiError('refused', message, {
    response: new Response(null, { status, headers }),
    data: { code, message, errors: [message] },
  })
}

/** What a call throws that no server answers. */
export const UNREACHABLE = new ApiError('unreachable', 'Error fetching')
