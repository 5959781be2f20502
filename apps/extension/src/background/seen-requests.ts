import * as z from 'zod/mini'

const KEY = 'seen-requests'

const Requests = z.object({ promptId: z.nullable(z.string()), waiting: z.number() })
type Requests = z.output<typeof Requests>

const Stored = z._default(Requests, { promptId: null, waiting: 0 })

/** The requests for which a window was opened, in session storage because the worker is stopped between them. */
export interface SeenRequests {
  /** Stores the current requests; returns whether one of them is new. */
  readonly update: (current: Requests) => Promise<boolean>
}

export function seenRequests(area: chrome.storage.StorageArea): SeenRequests {
  return {
    update: (current) =>
      navigator.locks.request(KEY, async () => {
        const before = Stored.parse((await area.get(KEY))[KEY])
        await area.set({ [KEY]: current })
        const isOther = current.promptId !== null && current.promptId !== before.promptId
        return current.waiting > 0 && (isOther || current.waiting > before.waiting)
      }),
  }
}
