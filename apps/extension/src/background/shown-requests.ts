import * as z from 'zod/mini'

const KEY = 'shown-requests'

const Requests = z.object({ promptId: z.nullable(z.string()), waiting: z.number() })
type Requests = z.output<typeof Requests>

const Stored = z._default(Requests, { promptId: null, waiting: 0 })

/** The requests for which a window was opened, in session storage because the worker is stopped between them. */
export interface ShownRequests {
  /** Shows the current requests if one of them is new. They are stored afterwards, in case that the worker is stopped before. */
  readonly update: (current: Requests, show: () => Promise<void>) => Promise<void>
}

export function shownRequests(area: chrome.storage.StorageArea): ShownRequests {
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
