/**
 * The pages that have sent an event to the wallet and are still open, in session storage because the worker is stopped between
 * events. Nothing waits for the requests of a page that was closed.
 */
import * as z from 'zod/mini'

const KEY = 'open-pages'

const Page = z.object({ origin: z.string(), tabId: z.number(), documentId: z.string() })
type Page = z.output<typeof Page>

const StoredPages = z._default(z.array(Page), [])

export interface OpenPages {
  readonly add: (page: Page) => Promise<void>
  /** Removes pages; returns the origins of which no page is left. */
  readonly remove: (isClosed: (page: Page) => boolean) => Promise<readonly string[]>
  readonly includes: (origin: string) => Promise<boolean>
}

export function openPages(area: chrome.storage.StorageArea): OpenPages {
  const read = async (): Promise<readonly Page[]> => StoredPages.parse((await area.get(KEY))[KEY])

  const update = (change: (pages: readonly Page[]) => readonly Page[]): Promise<void> =>
    navigator.locks.request(KEY, async () => area.set({ [KEY]: change(await read()) }))

  return {
    add: (page) =>
      update((pages) => [
        ...pages.filter(({ documentId }) => documentId !== page.documentId),
        page,
      ]),
    async remove(isClosed) {
      let gone: readonly string[] = []
      await update((pages) => {
        const left = pages.filter((page) => !isClosed(page))
        const origins = new Set(pages.map(({ origin }) => origin))
        gone = [...origins].filter((origin) => left.every((page) => page.origin !== origin))
        return left
      })
      return gone
    },
    includes: async (origin) => (await read()).some((page) => page.origin === origin),
  }
}
