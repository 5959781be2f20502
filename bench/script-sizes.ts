/** The sizes of the scripts of pages. The bench writes them into the table, and `npm test` checks the login page's budget. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, type Response } from '@playwright/test'
import { build } from 'vite'
import { BROWSER_SWITCHES, requireChromium } from '../tools/machine/chromium.ts'
import { ROOT } from '../tools/setup/processes.mjs'

/** What the login page may load in addition to React. */
export const LOGIN_ALLOWANCE_KB = 45

/**
 * The size of the scripts requested until a page is usable, in kB after gzip. What the page requests later, when it is
 * idle, does not delay it.
 */
export async function scriptsUntilUsable(url: string): Promise<number> {
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: BROWSER_SWITCHES,
  })
  try {
    const page = await browser.newPage()
    const scripts: Response[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response)
    })
    await page.addInitScript(() => {
      new MutationObserver(() => performance.mark('usable')).observe(document, {
        attributeFilter: ['data-ready'],
        subtree: true,
      })
    })
    await page.goto(url)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    const needed = await page.evaluate(() => {
      const usable = performance.getEntriesByName('usable')[0]?.startTime ?? Infinity
      const resources = performance.getEntriesByType('resource')
      return resources.filter(({ startTime }) => startTime <= usable).map(({ name }) => name)
    })
    const bodies = await Promise.all(
      scripts.filter((script) => needed.includes(script.url())).map((script) => script.body()),
    )
    return bodies.reduce((sum, body) => sum + kilobytes(body), 0)
  } finally {
    await browser.close()
  }
}

/** The size of rendering one element with React, built like our pages. */
export async function reactAlone(): Promise<number> {
  const name = 'virtual:react-alone'
  const source = `import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
hydrateRoot(document.body, createElement('main'))`
  const root = path.join(ROOT, 'apps/auth')
  const built = await build({
    root,
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: 'silent',
    mode: 'production',
    build: { write: false, manifest: false, rolldownOptions: { input: name } },
    plugins: [
      {
        name: 'react-alone',
        resolveId: (id) => (id === name ? path.join(root, 'src/react-alone.ts') : undefined),
        load: (id) => (id.endsWith('src/react-alone.ts') ? source : undefined),
      },
    ],
  })
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  return outputs.reduce((sum, each) => sum + (each.type === 'chunk' ? kilobytes(each.code) : 0), 0)
}

const kilobytes = (script: Buffer | string) => gzipSync(script, { level: 9 }).length / 1000

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

/** The size of the scripts that an application's page needs before it is usable, in kB after gzip: the entry and its imports. */
export function entryScripts(app: string, entry = 'src/main.tsx'): number {
  const dist = path.join(ROOT, 'apps', app, 'dist/client')
  const manifest = JSON.parse(
    readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8'),
  ) as Readonly<Record<string, Chunk>>
  const files = (name: string): string[] => {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`The build has no part ${name}`)
    return [chunk.file, ...(chunk.imports ?? []).flatMap(files)]
  }
  return [...new Set(files(entry))].reduce(
    (sum, file) => sum + kilobytes(readFileSync(path.join(dist, file))),
    0,
  )
}
