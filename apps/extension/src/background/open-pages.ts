/**
 * The pages that have sent an event to the wallet and are still open, and the origins that were left lately, in session storage
 * because the worker is stopped between events. Nothing waits for the requests of a page that was closed.
 */
import type { DeviceRequests } from '@portico/wallet-kit/device-requests'
import * as z from 'zod/mini'
import type { BrowserApi } from '../browser-api.ts'

const KEY = 'open-pages'

/** How long a page takes to load again after it was left. */
const RELOAD_MS = 5000
/** How long it may take while its tab is still loading, and how often the worker checks that. */
const LOADING_MS = 60_000
const LOOK_EVERY_MS = 1000

const Page = z.object({ origin: z.string(), tabId: z.number(), documentId: z.string() })
type Page = z.output<typeof Page>

/** When the last page of an origin was closed, in epoch milliseconds, and its tab. */
const Left = z.object({ origin: z.string(), tabId: z.number(), at: z.number() })
type Left = z.output<typeof Left>

const Stored = z._default(z.object({ pages: z.array(Page), left: z.array(Left) }), {
  pages: [],
  left: [],
})
type Stored = z.output<typeof Stored>

export interface OpenPages {
  readonly add: (page: Page) => Promise<void>
  /** Removes pages, and withdraws the requests of the origins of which no page is left, unless a page loads again. */
  readonly remove: (isClosed: (page: Page) => boolean) => Promise<void>
  /** Withdraws what an earlier worker was stopped before it withdrew. */
  readonly withdrawLeft: () => Promise<void>
}

export function openPages(
  { storage: { session: area }, tabs }: Pick<BrowserApi, 'storage' | 'tabs'>,
  openSource: () => Promise<Pick<DeviceRequests, 'withdraw'>>,
): OpenPages {
  const read = async (): Promise<Stored> => Stored.parse((await area.get(KEY))[KEY])

  const update = (change: (stored: Stored) => Stored): Promise<void> =>
    navigator.locks.request(KEY, async () => area.set({ [KEY]: change(await read()) }))

  async function withdrawLeft(): Promise<void> {
    const { left } = await read()
    await Promise.all(left.map(withdrawUnlessReloaded))
  }

  const isLoading = (tabId: number): Promise<boolean> =>
    tabs.get(tabId).then(
      ({ status }) => status === 'loading',
      // The tab is closed.
      () => false,
    )

  async function withdrawUnlessReloaded({ origin, tabId, at }: Left): Promise<void> {
    await pause(Math.min(at + RELOAD_MS - Date.now(), RELOAD_MS))
    while (Date.now() < at + LOADING_MS && (await isLoading(tabId))) await pause(LOOK_EVERY_MS)
    // Before the page is looked for, because opening the wallet takes a while.
    const source = await openSource()
    const isSame = (each: Left) => each.origin === origin && each.at === at
    if (!(await read()).left.some(isSame)) return
    await source.withdraw(origin)
    await update(({ pages, left }) => ({ pages, left: left.filter((each) => !isSame(each)) }))
  }

  return {
    add: (page) =>
      update(({ pages, left }) => ({
        pages: [...pages.filter(({ documentId }) => documentId !== page.documentId), page],
        left: left.filter(({ origin }) => origin !== page.origin),
      })),
    async remove(isClosed) {
      await update(({ pages, left }) => {
        const open = pages.filter((page) => !isClosed(page))
        const closed = new Map(pages.map(({ origin, tabId }) => [origin, tabId]))
        for (const { origin } of open) closed.delete(origin)
        const at = Date.now()
        const more = [...closed].map(([origin, tabId]) => ({ origin, tabId, at }))
        return { pages: open, left: [...left, ...more] }
      })
      await withdrawLeft()
    },
    withdrawLeft,
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
