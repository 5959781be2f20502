/** Pages of an origin of their own, which connect to wallets with the page library. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type BrowserPage, until } from '../../support/browser-page.ts'
import { bundleScript } from '../../support/bundle-script.ts'
import { listen } from '../../support/listen.ts'

const ENTRY = new URL('./page-script.ts', import.meta.url)

let script: Promise<string> | undefined

function ourScript(): Promise<string> {
  script ??= bundleScript(ENTRY)
  return script
}

export interface PageServer extends AsyncDisposable {
  readonly origin: string
}

/**
 * Serves a page titled `title` that connects over `relay`, by default with our library; `/frame?url` shows another page in a
 * frame.
 */
export async function servePages(
  relay: string,
  title: string,
  pageScript?: string,
): Promise<PageServer> {
  const code = (pageScript ?? (await ourScript())).replaceAll('</script', '<\\/script')
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    if (pathname === '/frame') {
      const url = searchParams.get('url') ?? ''
      return response.end(
        `<!doctype html><title>${title}</title><iframe src="${url}" sandbox="${searchParams.get('sandbox') ?? 'allow-scripts allow-same-origin'}"></iframe>`,
      )
    }
    return response.end(
      `<!doctype html><title>${title}</title><meta name="relay" content="${relay}"><script>${code}</script>`,
    )
  })
  const port = await listen(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Calls a function of the page's script. */
export const call = (page: BrowserPage, name: string, arg?: unknown): Promise<unknown> =>
  page.evaluate((sent) => Reflect.get(window, 'page')[sent.name](sent.arg), { name, arg })

/** Waits until the page is connected to a wallet. */
export const connected = (page: BrowserPage) =>
  until('The connection', async () => (await call(page, 'status')) === 'connected' || undefined)

/** Waits until the page has this many results, and returns them all. */
export const results = (page: BrowserPage, count: number) =>
  until(`${count} results`, async () => {
    const all = (await call(page, 'results')) as readonly unknown[]
    return all.length >= count ? all : undefined
  })
