import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

/** The imports from a library. */
export type Uses = {
  readonly from: string
  readonly names: readonly string[]
  readonly styles?: string
}

/**
 * Bundles a page with these imports, without React and shared code, and returns the compressed size of scripts and styles.
 * The library is resolved from `root`.
 */
export async function bundledKilobytes(
  root: string,
  { from, names, styles }: Uses,
  shared?: RegExp,
): Promise<number> {
  const entry = path.join(root, 'page.js')
  const imported =
    names[0] === '*'
      ? '* as all'
      : `{ ${names.map((name, at) => `${name} as use${at}`).join(', ')} }`
  const used = names[0] === '*' ? 'all' : names.map((_, at) => `use${at}`).join(', ')
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    // The published packages expect bundlers with Node polyfills.
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
            ? `import ${imported} from '${from}'\n${styles ? `import '${styles}'\n` : ''}globalThis.used = [${used}]`
            : undefined,
      },
    ],
  })
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  const weighed = outputs.filter(({ fileName }) => /\.(?:js|css)$/.test(fileName))
  if (weighed.length === 0) throw new Error(`The bundle with ${from} is empty`)
  return weighed.reduce(
    (sum, each) => sum + weightOf(each.type === 'chunk' ? each.code : each.source),
    0,
  )
}

const weightOf = (text: string | Uint8Array) => gzipSync(text, { level: 9 }).length / 1000
