import * as z from 'zod/mini'
import type { BrowserApi } from '../browser-api.ts'
import type { VisibleScreen } from '../page-message.ts'

const SIZE = { width: 360, height: 600 } as const

/** In session storage, because the window outlives the worker. */
const WINDOW_KEY = 'approval-window'
const StoredWindow = z.object({ id: z.number() })

/** Where the requesting page is, so that the approval appears on the same screen. */
export interface WindowPlace {
  readonly windowId: number | undefined
  readonly screen: VisibleScreen
}

/** The one window that asks for approval. */
export interface ApprovalWindow {
  /** Opens the window, or brings it to the front if it is open. */
  readonly show: (place: WindowPlace | undefined) => Promise<void>
}

export function approvalWindow({ runtime, storage, windows }: BrowserApi): ApprovalWindow {
  async function openWindow(): Promise<number | undefined> {
    const { success, data } = StoredWindow.safeParse(
      (await storage.session.get(WINDOW_KEY))[WINDOW_KEY],
    )
    if (!success) return undefined
    const window = await windows.get(data.id).catch(() => undefined)
    return window?.id
  }

  async function create(place: WindowPlace | undefined): Promise<void> {
    const page = {
      url: runtime.getURL('approval.html'),
      type: 'popup',
      focused: true,
      ...SIZE,
    } as const
    const position = place && (await positionIn(place))
    const created = await windows
      .create({ ...page, ...position })
      // The browser refuses a position that it considers outside the screen.
      .catch(() => windows.create(page))
    await storage.session.set({ [WINDOW_KEY]: { id: created?.id } })
  }

  /** At the top right of the page's window, inside the visible screen. */
  async function positionIn({ windowId, screen }: WindowPlace) {
    const window =
      windowId === undefined ? undefined : await windows.get(windowId).catch(() => undefined)
    if (window?.left === undefined || window.top === undefined) return undefined
    return {
      left: within(
        window.left + (window.width ?? 0) - SIZE.width,
        screen.left,
        screen.left + screen.width - SIZE.width,
      ),
      top: within(window.top, screen.top, screen.top + screen.height - SIZE.height),
    }
  }

  // One after the other: two requests at once must not open two windows.
  const exclusive = (task: () => Promise<void>): Promise<void> =>
    navigator.locks.request(WINDOW_KEY, task)

  return {
    show: (place) =>
      exclusive(async () => {
        const id = await openWindow()
        const isShown =
          id !== undefined &&
          // The user may close it at this moment.
          (await windows.update(id, { focused: true }).then(
            () => true,
            () => false,
          ))
        if (!isShown) await create(place)
      }),
  }
}

function within(value: number, minimum: number, maximum: number): number {
  return Math.round(Math.max(minimum, Math.min(value, maximum)))
}
