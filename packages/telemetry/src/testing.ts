import { ApiError } from '@portico/client/api-error'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import type { ErrorCode } from '@portico/contracts/errors'
import type { Place, Platform } from './platform.ts'
import type { KeyedStorage } from './telemetry-storage.ts'

/** An in-memory storage; tabs share it if it is passed to several platforms. */
export function memoryKeyedStorage(stored: Readonly<Record<string, string>> = {}): KeyedStorage & {
  readonly texts: Map<string, string>
} {
  const texts = new Map(Object.entries(stored))
  return {
    texts,
    keys: () => [...texts.keys()],
    read: (key) => texts.get(key),
    write: (key, text) => void texts.set(key, text),
    remove: (key) => void texts.delete(key),
  }
}

/** Responds to a request: resolves, rejects, or stays pending. */
type Answer = (path: string, body: unknown) => Promise<unknown>

interface RecordedRequest {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/** A fake browser with a clock, network and server controlled by the test. */
export function fakePlatform(
  parts: {
    readonly storage?: KeyedStorage
    readonly place?: Partial<Place>
    readonly answer?: Answer
    readonly exclusively?: Platform['exclusively']
  } = {},
) {
  const requests: RecordedRequest[] = []
  const waits: { readonly milliseconds: number; readonly end: () => void }[] = []
  const [leaving, returning] = [new Set<() => void>(), new Set<() => void>()]
  const state = {
    now: 1_800_000_000_000,
    online: true,
    answer: parts.answer ?? workingServer(),
    ids: 0,
  }
  const platform: Platform = {
    async post(path, body, { headers = {} }) {
      requests.push({ path, body: { ...body }, headers })
      return state.answer(path, body)
    },
    storage: parts.storage ?? memoryKeyedStorage(),
    clock: () => state.now,
    wait: (milliseconds) =>
      new Promise((end) => {
        waits.push({ milliseconds, end })
      }),
    random: () => 0.5,
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
    exclusively: parts.exclusively ?? ((work) => work()),
    onLeave: (listener) => void leaving.add(listener),
    onReturn: (listener) => void returning.add(listener),
  }
  return {
    platform,
    requests,
    waits,
    state,
    leave: () => leaving.forEach((listener) => listener()),
    comeBack: () => returning.forEach((listener) => listener()),
    /** The page paths of the events sent. */
    sent: () =>
      requests.filter(({ path }) => path.endsWith('/event')).map(({ body }) => body.pagePath),
  }
}

/** A UUID derived from a number. */
export function uuid(number: number): string {
  return `0f8fad5b-d9cb-469f-a165-${String(number).padStart(12, '0')}`
}

/** A server that creates sessions and accepts events. */
export function workingServer(): Answer {
  let sessions = 0
  return async (path) => {
    if (!path.endsWith('/session')) return undefined
    sessions += 1
    const sessionKey = { uuid: uuid(sessions), epoch: 1_800_000_000_000, trackerUuid: uuid(0) }
    return { sessionKey }
  }
}

/** The error of a call that the server rejects. */
export function refused(code: ErrorCode, headers: Readonly<Record<string, string>> = {}): ApiError {
  const { status, message } = ERROR_CATALOG[code]
  return new ApiError('refused', message, {
    response: new Response(null, { status, headers }),
    data: { code, message, errors: [message] },
  })
}

/** The error of a call without a response. */
export const UNREACHABLE = new ApiError('unreachable', 'Error fetching')
