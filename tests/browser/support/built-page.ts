import { once } from 'node:events'
import { createServer } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { listen } from '../../support/listen.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/**
 * Builds a page of the repository and serves it on its own origin until disposal, with React's development build, which
 * mounts components twice.
 */
export async function serveBuilt(
  folder: string,
  { development = false } = {},
): Promise<AsyncDisposable & { readonly url: string }> {
  const built = await build({
    root: path.join(ROOT, folder),
    configFile: false,
    logLevel: 'error',
    define: development ? { 'process.env.NODE_ENV': '"development"' } : {},
    build: { write: false },
  })
  const files = new Map(
    [built]
      .flat()
      .flatMap((each) => ('output' in each ? each.output : []))
      .map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
  )
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = pathname === '/' ? '/index.html' : pathname
    response.writeHead(files.has(file) ? 200 : 404, {
      'content-type': TYPES[path.extname(file)] ?? 'text/plain',
    })
    response.end(files.get(file))
  })
  const port = await listen(server)
  return {
    url: `http://localhost:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
