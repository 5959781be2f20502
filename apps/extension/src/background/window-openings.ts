/**
 * How often the approval window was opened for each origin without an approval, in session storage because the worker is stopped
 * in between. A page must not be able to open it again and again while the user closes it.
 */
import { nextOpening } from '@portico/rules/approval-window-backoff'
import * as z from 'zod/mini'

const KEY = 'window-openings'

/** The origins that are stored: those opened last. */
const MAX_ORIGINS = 50

/** The key of pages without an origin, and of requests that arrive without an event of a page while the wallet is locked. */
const UNKNOWN = ''

const Stored = z._default(z.record(z.string(), z.object({ count: z.number(), at: z.number() })), {})
type Stored = z.output<typeof Stored>

export interface WindowOpenings {
  /** Whether the window may open for an origin now. `at` is in epoch milliseconds. */
  readonly isAllowed: (origin: string | undefined, at: number) => Promise<boolean>
  /** Counts that it has opened; not before, because the worker may be stopped in between. */
  readonly add: (origin: string | undefined, at: number) => Promise<void>
  /** The user has approved a request of the origin. */
  readonly reset: (origin: string | undefined) => Promise<void>
}

export function windowOpenings(area: chrome.storage.StorageArea): WindowOpenings {
  const read = async (): Promise<Stored> => Stored.parse((await area.get(KEY))[KEY])

  const update = (change: (stored: Stored) => Stored): Promise<void> =>
    navigator.locks.request(KEY, async () => {
      const changed = Object.entries(change(await read()))
      const latest = changed.toSorted(([, one], [, two]) => two.at - one.at)
      await area.set({ [KEY]: Object.fromEntries(latest.slice(0, MAX_ORIGINS)) })
    })

  return {
    isAllowed: async (origin = UNKNOWN, at) =>
      nextOpening((await read())[origin], at) !== undefined,
    add: (origin = UNKNOWN, at) =>
      update((stored) => {
        const next = nextOpening(stored[origin], at)
        return next === undefined ? stored : { ...stored, [origin]: next }
      }),
    reset: (origin = UNKNOWN) =>
      update((stored) =>
        Object.fromEntries(
          Object.entries(stored).filter(([each]) => each !== origin && each !== UNKNOWN),
        ),
      ),
  }
}
