/** `npm run dev`: the server runs from sources, and Vite applies changes to the open page. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { ROOT } from '../../tools/setup/processes.mjs'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { expect, test } from './support/portico.ts'

const COPIED = ['apps', 'config', 'tools/vite-application.ts', 'tools/cosmos-types.ts']

/** A copy of the applications' sources, inside the repository so that it finds the packages. */
function copyOfSources(): Disposable & { readonly path: string } {
  const cache = path.join(ROOT, '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(path.join(cache, 'hot-reload-'))
  for (const name of COPIED) {
    cpSync(path.join(ROOT, name), path.join(folder, name), {
      recursive: true,
      filter: (source) => !['dist', 'node_modules', 'extension'].includes(path.basename(source)),
    })
  }
  // Without `workspaces`, so that Vite still finds the repository around it.
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version, type: 'module' }))
  // Packages that only the server has are not in the repository's folder.
  symlinkSync(
    path.join(ROOT, 'apps/server/node_modules'),
    path.join(folder, 'apps/server/node_modules'),
  )
  return {
    path: folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

const start = (sources: string, dataDir: string, port = '0'): Promise<ServerProcess> =>
  startServer({
    program: path.join(sources, 'apps/server/src/main.ts'),
    dataDir,
    environment: { PORTICO_DEV: '1', PORT: port },
  })

test('an edited file shows on the open page without a reload, and the page loads again after a restart of the server', async ({
  browser,
}) => {
  using sources = copyOfSources()
  using data = temporaryFolder()
  await using server = await start(sources.path, data.path)
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto(`${server.url}/auth/login`)
  const field = page.getByLabel('Email')
  // The first visit makes Vite bundle the dependencies, after which it reloads the page.
  await expect(async () => {
    await field.fill('ada@people.example')
    await page.waitForTimeout(3000)
    await expect(field).toHaveValue('ada@people.example', { timeout: 1 })
  }).toPass()

  const edited = path.join(sources.path, 'apps/auth/src/login/login.view.tsx')
  const text = readFileSync(edited, 'utf8')
  expect(text).toContain('Forgot Password')
  writeFileSync(edited, text.replace('Forgot Password', 'Forgot It'))
  await expect(page.getByText('Forgot It')).toBeVisible()
  await expect(field).toHaveValue('ada@people.example')
  expect(errors).toEqual([])

  const { port } = new URL(server.url)
  await server.stop()
  await using _restarted = await start(sources.path, data.path, port)
  // The page finds the server again by itself and loads anew.
  await expect(field).toHaveValue('')
  await page.close()
})
