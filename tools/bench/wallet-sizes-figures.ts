import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { installPublishedPackages, PUBLISHED_PACKAGES } from '../test/published-packages.ts'
import { type Figure, figure, short } from './figure.ts'

const BUDGET_KB = 40

/** What a page or a wallet takes from a library. */
type Uses = { readonly from: string; readonly names: readonly string[] }

const PAGE = [
  'QRCodeModal',
  'useWalletConnect',
  'WalletConnectContextProvider',
  'WalletConnectService',
  'WINDOW_MESSAGES',
]
const PUBLISHED = '@provenanceio/walletconnect-js'
const CLIENT: Uses = { from: '@walletconnect/client', names: ['default'] }

/** What each door of our wallet library weighs in a page, against the published package that does the same. */
export async function walletSizesFigures(): Promise<Figure[]> {
  await installPublishedPackages()
  const line = async (name: string, ours: Uses, baseline: Uses, shared?: RegExp) =>
    figure({
      figure: name,
      on: 'bundled page, gzip',
      ours: [await kilobytes(ours, shared)],
      baseline: [await kilobytes(baseline)],
      write: (size) => `${short(size)} kB`,
      ...(shared
        ? {
            budget: {
              text: `${BUDGET_KB} kB`,
              isMet: ({ ours }: { readonly ours: number }) => ours <= BUDGET_KB,
            },
          }
        : {}),
    })
  const service = ['WalletConnectService', 'WINDOW_MESSAGES']
  return [
    await line(
      `Wallet modal and library, React apart; ${PUBLISHED}`,
      { from: '@portico/wallet-connect/react', names: PAGE },
      { from: PUBLISHED, names: PAGE },
    ),
    await line(
      `What these add to our own pages, which have zod already; ${PUBLISHED}`,
      { from: '@portico/wallet-connect/react', names: PAGE },
      { from: PUBLISHED, names: PAGE },
      /^zod(\/|$)/,
    ),
    await line(
      `Wallet library without modal; ${PUBLISHED} likewise`,
      { from: '@portico/wallet-connect/session', names: service },
      { from: `${PUBLISHED}/esm/service`, names: service },
    ),
    await line(
      `A wallet’s side; ${CLIENT.from}, which signs and describes nothing`,
      { from: '@portico/wallet-connect/wallet', names: ['joinSession', 'resumeSession'] },
      CLIENT,
    ),
    await line(
      `The protocol alone, all of it; ${CLIENT.from}`,
      { from: '@portico/wallet-connect/protocol', names: ['*'] },
      CLIENT,
    ),
  ]
}

/** Bundles a page that uses these names, React and what is shared apart, and weighs its scripts and styles. */
async function kilobytes({ from, names }: Uses, shared?: RegExp): Promise<number> {
  const entry = path.join(PUBLISHED_PACKAGES, 'page.js')
  const imported =
    names[0] === '*'
      ? '* as all'
      : `{ ${names.map((name, at) => `${name} as use${at}`).join(', ')} }`
  const used = names[0] === '*' ? 'all' : names.map((_, at) => `use${at}`).join(', ')
  const built = await build({
    root: PUBLISHED_PACKAGES,
    configFile: false,
    logLevel: 'silent',
    // The published packages were written for bundlers that bring these along.
    define: { global: 'globalThis', 'process.env': '{}', 'process.browser': 'true' },
    build: {
      write: false,
      rolldownOptions: {
        input: entry,
        external: [/^react(-dom)?(\/|$)/, ...(shared ? [shared] : [])],
      },
    },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) =>
          id === entry
            ? `import ${imported} from '${from}'\nglobalThis.used = [${used}]`
            : undefined,
      },
    ],
  })
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  const weighed = outputs.filter(({ fileName }) => /\.(?:js|css)$/.test(fileName))
  if (weighed.length === 0) throw new Error(`The page with ${from} came out empty`)
  return weighed.reduce(
    (sum, each) => sum + weightOf(each.type === 'chunk' ? each.code : each.source),
    0,
  )
}

const weightOf = (text: string | Uint8Array) => gzipSync(text, { level: 9 }).length / 1000
