import * as z from 'zod/mini'
import type { BrowserApi } from '../browser-api.ts'
import type { VisibleScreen } from '../page-message.ts'

const SIZE = { width: 360, height: 600 } as const

/** In session storage, because the window outlives the worker. */
const WINDOW_KEY = 'approval-window'
const StoredWindow = z.object({ id: z.number() })

/** The last opening of the approval window, until its page connects. In local storage, which an update keeps. */
const OPENING_KEY = 'approval-window-opening'

const Opening = z.object({
  /** The version that opens the window. */
  version: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
  /** The windows that were open before. */
  windows: z.array(z.number()),
})
const StoredOpening = z.optional(Opening)

/** How long an update takes. A window that a page opens later is not taken for one that the update has interrupted. */
const UPDATE_LIMIT_MS = 60_000

/** Where the requesting page is, so that the approval appears on the same screen. */
export interface WindowPlace {
  readonly windowId: number | undefined
  readonly screen: VisibleScreen
}

/** The one window that asks for approval. */
export interface ApprovalWindow {
  /** Opens the window, or brings it to the front if it is open. */
  readonly show: (place: WindowPlace | undefined) => Promise<void>
  /** A page of the extension has connected to the worker. */
  readonly pageConnected: (pageUrl: string | undefined) => Promise<void>
  /** A page of the extension is about to close its window, which therefore shows no other request. */
  readonly pageClosing: (windowId: number | undefined) => Promise<void>
  /**
   * Closes windows that stay blank, and returns whether there were any. In Firefox, a window that opens during an update may never
   * load its page, or load it without its scripts. `isConnected` says whether the page in a tab has connected to the worker.
   */
  readonly closeBlank: (isConnected: (tabId: number) => boolean) => Promise<boolean>
}

export function approvalWindow({ runtime, storage, windows }: BrowserApi): ApprovalWindow {
  const url = runtime.getURL('approval.html')
  const { version } = runtime.getManifest()

  async function storedWindow(): Promise<number | undefined> {
    const stored = (await storage.session.get(WINDOW_KEY))[WINDOW_KEY]
    return StoredWindow.safeParse(stored).data?.id
  }

  async function openWindow(): Promise<number | undefined> {
    const id = await storedWindow()
    const window = id === undefined ? undefined : await windows.get(id).catch(() => undefined)
    return window?.id
  }

  const unfinishedOpening = async () =>
    StoredOpening.safeParse((await storage.local.get(OPENING_KEY))[OPENING_KEY]).data

  /** The opening that the last update has interrupted. */
  async function interruptedOpening(): Promise<z.output<typeof Opening> | undefined> {
    const opening = await unfinishedOpening()
    if (opening === undefined || opening.version === version) return undefined
    return Date.now() - opening.at < UPDATE_LIMIT_MS ? opening : undefined
  }

  async function create(place: WindowPlace | undefined): Promise<void> {
    const page = {
      url,
      type: 'popup',
      focused: true,
      ...SIZE,
    } as const
    const position = place && (await positionIn(place))
    if ((await interruptedOpening()) === undefined) {
      const before = (await windows.getAll()).map(({ id }) => id)
      const opening = { version, at: Date.now(), windows: before }
      // The window opens even if the storage is full.
      await storage.local.set({ [OPENING_KEY]: opening }).catch(() => undefined)
    }
    const created = await windows
      .create({ ...page, ...position })
      // The browser refuses a position that it considers outside the screen.
      .catch(() => windows.create(page))
    await storage.session.set({ [WINDOW_KEY]: { id: created?.id } })
  }

  /** Whether a window has not loaded the page of an opening that was interrupted. */
  function isUnloaded(
    { id, type, width, height }: chrome.windows.Window,
    tab: chrome.tabs.Tab,
    before: readonly number[] | undefined,
  ): boolean {
    if (id === undefined || before === undefined || before.includes(id)) return false
    const isOfOurSize = type === 'popup' && width === SIZE.width && height === SIZE.height
    // The browser hides the URL while it is empty.
    return isOfOurSize && tab.url === undefined
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
  const exclusive = <Result>(task: () => Promise<Result>): Promise<Result> =>
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
    pageConnected: (pageUrl) =>
      exclusive(async () => {
        if (pageUrl !== url || (await unfinishedOpening())?.version !== version) return
        await storage.local.remove(OPENING_KEY)
      }),
    pageClosing: (windowId) =>
      exclusive(async () => {
        if (windowId !== undefined && windowId === (await storedWindow()))
          await storage.session.remove(WINDOW_KEY)
      }),
    closeBlank: (isConnected) =>
      exclusive(async () => {
        const current = await storedWindow()
        const interrupted = await interruptedOpening()
        let isClosed = false
        for (const window of await windows.getAll({ populate: true })) {
          const [tab, ...others] = window.tabs ?? []
          if (window.id === undefined || window.id === current) continue
          if (tab?.id === undefined || others.length > 0 || isConnected(tab.id)) continue
          if (tab.url !== url && !isUnloaded(window, tab, interrupted?.windows)) continue
          isClosed = true
          // The user may close it at this moment.
          await windows.remove(window.id).catch(() => undefined)
        }
        if (interrupted !== undefined) await storage.local.remove(OPENING_KEY)
        return isClosed
      }),
  }
}

function within(value: number, minimum: number, maximum: number): number {
  return Math.round(Math.max(minimum, Math.min(value, maximum)))
}
