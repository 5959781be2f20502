import * as z from 'zod/mini'

const KEY = 'seen-requests'

const Requests = z.object({ promptId: z.nullable(z.string()), waiting: z.number() })
type Requests = z.output<typeof Requests>

const Stored = z._default(Requests, { promptId: null, waiting: 0 })

/** The requests for which a window was opened, in session storage because the worker is stopped between them. */
export interface SeenRequests {
  /** Shows the current requests if one of them is new. They are stored afterwards, in case that the worker is stopped before. */
  readonly update: (current: Requests, show: () => Promise<void>) => Promise<void>
}

export function seenRequests(area: chrome.storage.StorageArea): SeenRequests {
  return {
    update: (current, show) =>
      navigator.locks.request(KEY, async () => {
        const before = Stored.parse((await area.get(KEY))[KEY])
        const isOther = current.promptId !== null && current.promptId !== before.promptId
        const isNew = current.waiting > 0 && (isOther || current.waiting > before.waiting)
        if (isNew) await show()
        await area.set({ [KEY]: current })
      }),
  }
}
