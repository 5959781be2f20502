/**
 * The packages for other applications, packed and installed in a project that contains nothing else from this repository.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { type Browser, chromium, expect as expectPage, type Page } from '@playwright/test'
import { createServiceToken } from '@portico/contracts/admin/operators'
import react from '@vitejs/plugin-react'
import { publint } from 'publint'
import { build, createLogger } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER_SWITCHES, requireChromium } from '../../tools/machine/chromium.ts'
import { buildPackages } from '../../tools/packages/build.ts'
import { publicExports } from '../../tools/packages/published-packages.ts'
import { ROOT } from '../../tools/setup/processes.mjs'
import { lenderApplication } from '../support/lender-application.ts'
import { anOperator } from '../support/operator.ts'
import { PEOPLE } from '../support/people.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aWorld } from '../support/world.ts'
import {
  type OutsideProject,
  outsideProject,
  type ReactVersion,
} from './support/outside-project.ts'

const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc')
const OUTSIDE = path.join(ROOT, 'tests/interop/outside')

const temporary = temporaryFolder()
let project: OutsideProject
let world: Awaited<ReturnType<typeof aWorld>>

beforeAll(async () => {
  project = await outsideProject(temporary.path)
  world = await aWorld()
  cpSync(OUTSIDE, project.folder, { recursive: true })
  // As the types of Vite or Next.js declare it.
  write('css.d.ts', `declare module '*.css'\n`)
  write('package.json', JSON.stringify({ private: true, type: 'module' }))
  for (const name of Object.keys(project.tarballs)) {
    for (const [language, code] of examplesOf(name)) write(`readme-${name}.${language}`, code)
  }
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  temporary.remove()
})

const write = (file: string, text: string) => writeFileSync(path.join(project.folder, file), text)

/** The examples of a README. */
function examplesOf(name: string): readonly (readonly [language: string, code: string])[] {
  const readme = readFileSync(
    path.join(project.folder, 'node_modules/@portico', name, 'README.md'),
    'utf8',
  )
  const examples = [...readme.matchAll(/^```(tsx?|js)\n(.*?)^```/gms)]
  return examples.map(([, language = '', code = '']) => [language, code])
}

test('publint has no message about any package', async () => {
  for (const [name, tarball] of Object.entries(project.tarballs)) {
    const { buffer } = Uint8Array.from(readFileSync(tarball))
    const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
    expect(messages, name).toEqual([])
  }
})

test('ES modules resolve to the right types, for Node and for bundlers', async () => {
  for (const [name, tarball] of Object.entries(project.tarballs)) {
    const packed = createPackageFromTarballData(readFileSync(tarball))
    const { types, problems } = await checkPackage(packed, { excludeEntrypoints: [/\.css$/] })
    expect(types, name).toBeTruthy()
    // CommonJS and Node before 12.7 are not supported.
    const others = ['node10', 'node16-cjs']
    const remaining = problems.filter((each) => !others.includes(each.resolutionKind ?? ''))
    expect(remaining, name).toEqual([])
  }
})

test('each package has a README with an example, a changelog, a license, and nothing that only this repository uses', () => {
  for (const name of Object.keys(project.tarballs)) {
    const folder = path.join(project.folder, 'node_modules/@portico', name)
    expect(readdirSync(folder).toSorted(), name).toEqual([
      'CHANGELOG.md',
      'README.md',
      'dist',
      'package.json',
    ])
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ license: 'UNLICENSED', type: 'module' })
    for (const each of ['private', 'scripts', 'devDependencies']) {
      expect(manifest).not.toHaveProperty(each)
    }
    expect(Object.keys(manifest.exports).filter((each) => /testing/.test(each))).toEqual([])
    expect(examplesOf(name).length, name).toBeGreaterThan(0)
  }
})

test('two builds are equal', { tags: 'exhaustive' }, async () => {
  using other = temporaryFolder()
  await buildPackages(other.path)
  for (const name of Object.keys(project.tarballs)) {
    const [first, second] = [
      path.join(project.folder, 'node_modules/@portico', name),
      path.join(other.path, name),
    ].map((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map((each) => path.join(each.parentPath, each.name))
        .map((file) => [path.relative(folder, file), readFileSync(file, 'base64')] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    )
    expect(first?.length, name).toBeGreaterThan(5)
    expect(first, name).toEqual(second)
  }
})

test('in Node, keys are made and used, tokens are verified, and a session is read from a server', async () => {
  const browser = world.browser()
  await browser.signIn(PEOPLE.plain)
  const { id_token: idToken = '', access_token: accessToken } = await (
    await lenderApplication(world)
  ).signIn(browser)
  const output = await project.node(['node.ts'], {
    ORIGIN: world.origin,
    COOKIE: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    ID_TOKEN: idToken,
    ACCESS_TOKEN: accessToken,
  })
  const { email } = PEOPLE.plain
  expect(JSON.parse(output)).toEqual({
    verified: true,
    session: email,
    idToken: email,
    accessToken: true,
  })
})

test('the example of the keys verifies its own token', async () => {
  expect(await project.node(['readme-keys.ts'])).toBe('true\n')
})

test('15 the admin client and its command work from outside with a service token', async () => {
  const admin = await anOperator(world, 'admin')
  const { token } = await admin.browser.call(createServiceToken, {
    body: {
      name: 'outside',
      permissions: ['people.read', 'people.write'],
      organizationCodes: ['*'],
      days: 1,
      reason: 'A test of the packages',
    },
  })
  const environment = { PORTICO_URL: world.url, PORTICO_ADMIN_TOKEN: token }
  const output = await project.node(['readme-admin.ts'], environment)
  expect(output).toContain(`${PEOPLE.locked.email}: unlocked\n`)

  const folder = path.join(project.folder, 'node_modules/@portico/admin')
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const program = path.join(folder, bin['portico-admin'])
  expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  const found = await project.node(
    [program, 'people', 'find', PEOPLE.locked.email, '--json'],
    environment,
  )
  expect(JSON.parse(found)).toMatchObject({ email: PEOPLE.locked.email, lockedAt: null })
})

test('components use nothing that the types of React 18 lack, except the attribute of a popover', async () => {
  const files = [...publicExports('ui').scripts, ...publicExports('wallet-connect').scripts]
  const react = path.join(ROOT, 'tests/interop/react-18/node_modules/@types/react')
  const compilerOptions = {
    incremental: false,
    tsBuildInfoFile: null,
    types: ['node', path.join(ROOT, 'node_modules/vite/client.d.ts')],
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
    paths: { react: [path.join(react, 'index.d.ts')], 'react/*': [path.join(react, '*.d.ts')] },
  }
  const base = path.join(ROOT, 'tsconfig.json')
  const sources = files.map(([, source]) => source)
  write(
    'sources.json',
    JSON.stringify({ extends: base, compilerOptions, include: [], files: sources }),
  )
  const output = await project.node([TSC, '--project', 'sources.json', '--pretty', 'false'])
  const errors = output.split('\n').filter((line) => line.includes(': error '))
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatch(/popover\.tsx.* popover: string/)
})

describe('with React 18', () => {
  testWithReact('18')
})

// All other tests of the repository have React 19.
describe('with React 19', { tags: 'exhaustive' }, () => {
  testWithReact('19')
})

function testWithReact(version: ReactVersion): void {
  let browser: Browser
  let page: Page
  const errors: string[] = []

  beforeAll(async () => {
    project.useReact(version)
    browser = await chromium.launch({
      executablePath: requireChromium(),
      // A page that a test supplies has no network, so Chromium would refuse it one on this machine.
      args: [...BROWSER_SWITCHES, '--disable-features=LocalNetworkAccessChecks'],
    })
    page = await openPage(await builtPage(version))
  })
  afterAll(() => browser?.close())

  async function openPage(built: ReadonlyMap<string, Buffer>): Promise<Page> {
    const context = await browser.newContext()
    const opened = await context.newPage()
    opened.on('pageerror', (error) => errors.push(error.message))
    opened.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) errors.push(message.text())
    })
    // The page is on the server's origin, like an application behind the same proxy.
    await opened.route(`${world.origin}/outside/**`, async (route) => {
      const name = path.basename(route.request().url())
      const body = built.get(name)
      const contentType = {
        html: 'text/html',
        js: 'text/javascript',
        css: 'text/css',
        woff2: 'font/woff2',
      }[name.split('.').at(-1) ?? '']
      await route.fulfill(
        body === undefined || contentType === undefined ? { status: 404 } : { body, contentType },
      )
    })
    await opened.goto(`${world.origin}/outside/index.html`)
    return opened
  }

  const compile = (moduleResolution: 'nodenext' | 'bundler') => {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
      moduleResolution,
      jsx: 'react-jsx',
      types: ['node'],
    }
    const include = ['*.d.ts', 'node.ts', 'page.tsx', 'wallet.ts', 'readme-*.ts', 'readme-*.tsx']
    write('tsconfig.json', JSON.stringify({ compilerOptions, include }))
    return project.node([TSC])
  }

  test('strict projects for Node compile', async () => {
    expect(await compile('nodenext')).toBe('')
  })

  test('strict projects for a bundler compile', { tags: 'exhaustive' }, async () => {
    expect(await compile('bundler')).toBe('')
  })

  test('pages are rendered in Node', async () => {
    const output = await project.node(['render.ts'])
    expect(output).toContain('portico-button-button')
    expect(output).toContain(`React ${version}`)
  })

  test('components render with their styles, take focus, open dialogs and menus, and show toasts', async () => {
    await expectPage(page.getByRole('heading', { level: 1 })).toContainText(`React ${version}`)
    const button = page.getByRole('button', { name: 'Focus the field' })
    await expectPage(button).toHaveCSS('min-height', '48px')
    await expectPage(button).toHaveCSS('color', 'rgb(255, 255, 255)')
    await button.click()
    await expectPage(page.getByLabel('Email')).toBeFocused()

    await page.getByRole('button', { name: 'Choose a card' }).click()
    await page.getByRole('radio', { name: 'Two' }).check()
    await page.getByRole('button', { name: 'Close' }).click()
    await expectPage(page.getByRole('dialog')).toHaveCount(0)

    await page.getByRole('button', { name: 'More' }).click()
    await expectPage(page.getByRole('menuitem', { name: 'First' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expectPage(page.getByText('First', { exact: true })).toHaveCount(2)
    expect(errors).toEqual([])
  })

  test('the client reads the session of the browser', async () => {
    const { cookies, signIn } = world.browser()
    await signIn(PEOPLE.plain)
    await page
      .context()
      .addCookies([...cookies].map(([name, value]) => ({ name, value, url: world.origin })))
    await page.reload()
    await expectPage(page.getByLabel('Email')).toHaveValue(PEOPLE.plain.email)
    expect(errors).toEqual([])
  })

  test('2.7 a wallet in Node connects with the page and signs', async () => {
    await page.getByRole('button', { name: 'Connect' }).click()
    await expectPage(page.getByRole('dialog', { name: 'Scan the code' })).toBeVisible()
    await expectPage(page.locator('#code')).toContainText('wc:')
    const URI = (await page.locator('#code').textContent()) ?? ''
    const wallet = spawn(process.execPath, ['wallet.ts'], {
      cwd: project.folder,
      env: { PATH: process.env.PATH, URI },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [address] = (await once(wallet.stdout, 'data')) as [Buffer]
      await expectPage(page.locator('#address')).toHaveText(address.toString().trim())
      await page.getByRole('button', { name: 'Sign' }).click()
      await expectPage(page.locator('#signature')).toHaveText(/^[0-9a-f]{128}$/)
      expect(errors).toEqual([])
    } finally {
      wallet.kill()
    }
  })
}

/** Builds the page in the project; returns its files by name. */
async function builtPage(version: ReactVersion): Promise<ReadonlyMap<string, Buffer>> {
  const warnings: string[] = []
  const built = await build({
    root: project.folder,
    configFile: false,
    plugins: [react()],
    base: './',
    customLogger: {
      ...createLogger('silent'),
      warn: (message) => warnings.push(message),
      warnOnce: (message) => warnings.push(message),
    },
    // React reports misuse only in development.
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      write: false,
      minify: false,
      // Otherwise a busy machine would get a warning about slow plugins.
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  })
  expect(warnings, `building with React ${version}`).toEqual([])
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  return new Map(
    outputs.map((each) => [
      path.basename(each.fileName),
      Buffer.from(each.type === 'chunk' ? each.code : each.source),
    ]),
  )
}
