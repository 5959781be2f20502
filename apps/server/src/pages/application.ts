/**
 * A front-end application on the server: a function from page data to markup, and the files that its document
 * references. Built applications are loaded from `dist`; in development Vite compiles them per request.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageData } from '@portico/contracts/page-data'
import { PREVIEW_PATH } from '@portico/contracts/preview'
import type { FastifyInstance } from 'fastify'
import { ConfigError } from '../config-error.ts'
import { MOBILE_WALLET_WORKER_POLICY } from '../http/security-headers.ts'
import { serveFiles } from '../http/static-file.ts'
import { INSTALLATION_FOLDER } from '../installation-folder.ts'
import type { EntryFiles } from './document.ts'

/** A rendered page: a redirect, or a title and markup. */
type RenderedPage =
  | { readonly redirect: string }
  | { readonly title: string; readonly html: string; readonly status?: number }

export interface Application {
  readonly render: (page: PageData) => Promise<RenderedPage>
  readonly entry: (nonce: string) => EntryFiles
}

/** The folder of the applications. */
export const APPS = join(INSTALLATION_FOLDER, 'apps')

interface ManifestChunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly assets?: readonly string[]
}

/**
 * Serves a built application's files. Its renderer is loaded with the first page that needs it: each contains its own
 * React, and a node that shows no wallet should not load that one.
 *
 * @throws ConfigError - when the application is not built
 */
export async function builtApplication(app: FastifyInstance, name: string): Promise<Application> {
  const dist = join(APPS, name, 'dist')
  const manifestPath = join(dist, 'client/.vite/manifest.json')
  if (!existsSync(manifestPath)) {
    throw new ConfigError([notBuilt(name)])
  }
  const base = `/${name}/static/`
  serveFiles(app, { folder: join(dist, 'client'), prefix: base })
  const entry = entryFiles(manifestPath, { source: 'src/main.tsx', base })
  const renderer = pathToFileURL(join(dist, 'render/render.js')).href
  return {
    async render(page) {
      const { render } = (await import(renderer)) as { render: (page: PageData) => RenderedPage }
      return render(page)
    },
    entry: () => entry,
  }
}

/**
 * Serves an application's build of its screens in sample states, which is separate so that visitors never load it. Any
 * origin may load it, because frames with an opaque origin do. Returns undefined if it is not built.
 */
export function previewEntry(app: FastifyInstance, name: string): EntryFiles | undefined {
  const folder = join(APPS, name, 'dist/gallery')
  const manifestPath = join(folder, '.vite/manifest.json')
  if (!existsSync(manifestPath)) return undefined
  const base = `${PREVIEW_PATH}/static/${name}/`
  serveFiles(app, {
    folder,
    prefix: base,
    // Most processes never show a preview.
    read: 'on demand',
    headers: {
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    },
  })
  return entryFiles(manifestPath, { source: PREVIEW_SOURCE, base })
}

export const PREVIEW_SOURCE = 'src/gallery/gallery.tsx'

/** Reads the files of a build's entry from its manifest. */
export function entryFiles(
  manifestPath: string,
  { source, base }: { readonly source: string; readonly base: string },
): EntryFiles {
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, ManifestChunk>
  const entry = manifest[source]
  if (!entry) throw new Error(`The build has no entry ${source}`)
  const visited = new Map<string, ManifestChunk>()
  const collect = (chunk: ManifestChunk) => {
    for (const name of chunk.imports ?? []) {
      const imported = manifest[name]
      if (!imported || visited.has(name)) continue
      visited.set(name, imported)
      collect(imported)
    }
  }
  collect(entry)
  const imported = [...visited.values()]
  // Vite's name for the style sheet of a build that does not split its styles.
  const sheet = manifest['style.css']
  if (!sheet) throw new Error('The build has no style sheet')
  return {
    styles: [`${base}${sheet.file}`],
    script: `${base}${entry.file}`,
    preloads: imported.map(({ file }) => `${base}${file}`),
    fonts: [...imported, entry]
      .flatMap(({ assets }) => assets ?? [])
      .filter((file) => file.endsWith('.woff2'))
      .map((file) => `${base}${file}`),
  }
}

/** The mobile wallet: a page rendered on the device that works offline with a service worker. */
export interface MobileWallet {
  readonly entry: (nonce: string) => EntryFiles
  /** The files that the service worker caches when installed. */
  readonly files: readonly string[]
  /** The service worker's script; undefined in development, where the page would not reload. */
  readonly serviceWorker: string | undefined
}

/** The base path of the mobile wallet's files. */
const MOBILE_STATIC = '/mobile-wallet/static/'
/** The mobile wallet's entry in the sources of `apps/wallet`. */
const MOBILE_SOURCE = 'src/mobile/main.tsx'

/**
 * Serves the built files of the mobile wallet, which share none with the hosted wallet.
 *
 * @throws ConfigError - when it is not built
 */
export function builtMobileWallet(app: FastifyInstance): MobileWallet {
  const folder = join(APPS, 'wallet/dist/mobile')
  const manifestPath = join(folder, '.vite/manifest.json')
  if (!existsSync(manifestPath)) throw new ConfigError([notBuilt('wallet')])
  serveFiles(app, {
    folder,
    prefix: MOBILE_STATIC,
    headers: { 'content-security-policy': MOBILE_WALLET_WORKER_POLICY },
  })
  const entry = entryFiles(manifestPath, { source: MOBILE_SOURCE, base: MOBILE_STATIC })
  return {
    entry: () => entry,
    // The large decoder is cached on first use.
    files: readdirSync(folder)
      .filter((file) => /\.(?:css|js|woff2)$/.test(file))
      .map((file) => `${MOBILE_STATIC}${file}`),
    serviceWorker: readFileSync(join(APPS, 'wallet/dist/mobile-worker/service-worker.js'), 'utf8'),
  }
}

/** The mobile wallet from its sources, served by the application `wallet` in development. */
export function devMobileWallet(): MobileWallet {
  return {
    entry: (nonce) => devEntry('/wallet/static/', MOBILE_SOURCE, nonce),
    files: [],
    serviceWorker: undefined,
  }
}

const notBuilt = (name: string) =>
  `apps/${name} is not built. Run \`npm run build\`, or \`npm start\``

/** The websockets of hot reload, below each application's files. */
const HOT_RELOAD = 'hot-reload'

/** Whether Vite completes the upgrade of a websocket at this path. */
export function isHotReload(path: string): boolean {
  return path.endsWith(`/static/${HOT_RELOAD}`)
}

/** Serves an application from its sources with hot reload. */
export async function devApplication(app: FastifyInstance, name: string): Promise<Application> {
  const { createServer } = await import('vite')
  const root = join(APPS, name)
  const vite = await createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    // Otherwise Vite would write a bundled copy of the config, which file watchers mistake for a server change.
    configLoader: 'native',
    appType: 'custom',
    server: { middlewareMode: true, ws: { server: app.server, path: HOT_RELOAD } },
  })
  app.addHook('onClose', () => vite.close())
  const base = `/${name}/static/`
  app.get(`${base}*`, (request, reply) => {
    reply.hijack()
    vite.middlewares(request.raw, reply.raw, () => {
      reply.raw.statusCode = 404
      reply.raw.end()
    })
  })
  return {
    async render(page) {
      const { render } = (await vite.ssrLoadModule('/src/render.tsx')) as {
        render: (page: PageData) => RenderedPage
      }
      return render(page)
    },
    entry: (nonce) => devEntry(base, 'src/main.tsx', nonce),
  }
}

/** The files of an entry as served by Vite in development. */
export function devEntry(base: string, source: string, nonce: string): EntryFiles {
  return {
    styles: [],
    script: `${base}${source}`,
    preloads: [],
    fonts: [],
    head: `<meta property="csp-nonce" nonce="${nonce}">
<script type="module" src="${base}@vite/client" nonce="${nonce}"></script>
<script type="module" nonce="${nonce}">import { injectIntoGlobalHook } from "${base}@react-refresh"; injectIntoGlobalHook(window); window.$RefreshReg$ = () => {}; window.$RefreshSig$ = () => (type) => type</script>
`,
  }
}
