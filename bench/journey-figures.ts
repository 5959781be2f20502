import { type Browser, chromium, type Page } from '@playwright/test'
import { BROWSER_SWITCHES, requireChromium } from '../tools/machine/chromium.ts'
import { type Figure, figure, short } from './figure.ts'
import { fillLoginForm, type Person } from './page-figures.ts'
import { emailOf } from './seeds.ts'
import { aSite, emptyServer } from './sites.ts'
import { runMain } from './start-figures.ts'

const PEOPLE = 100

/** The user of the demonstration's identity provider. */
const PROVIDER_PERSON: Person = {
  email: 'nora.north@northgale.example',
  password: 'meadow-compass-52-cobalt',
}

/** Lighthouse's slow phone: 150 ms round trip, 1.6 Mbit/s, a processor four times slower. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
}
const SLOWDOWN = 4

type Journey = (page: Page, url: string, person: Person) => Promise<void>

const JOURNEYS: Readonly<Record<'password' | 'broker' | 'wallet', Journey>> = {
  async password(page, url, person) {
    await fillLoginForm(page, `${url}/auth/login`, person)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await usable(page, '/dashboard')
  },
  async broker(page, url) {
    await page.goto(`${url}/auth/login?orgCode=NORTHGALE`)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Log in with Northgale ID' }).click()
    await page.getByRole('heading', { name: 'Sign in to Northgale ID' }).waitFor()
    await page.getByLabel('Email').fill(PROVIDER_PERSON.email)
    await page.getByLabel('Password').fill(PROVIDER_PERSON.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await usable(page, '/dashboard')
  },
  /** A first hosted account, connected with its approval; then the gatekeeper leads to the passport. */
  async wallet(page, url, person) {
    const start = `${url}/auth/login?redirectUrl=%2Fauth%2Fwallet%2Fcreate-wallet`
    await fillLoginForm(page, start, person)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Account Name').fill('Everyday')
    await page.getByRole('button', { name: 'Submit' }).click()
    const wallet = page.frameLocator('#figure-wallet-hosted > iframe')
    await wallet.getByRole('button', { name: 'Connect', exact: true }).click()
    await usable(page, '/universal-passport')
  },
}

async function usable(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname.startsWith(path))
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
}

const BASELINES = { empty: 'an empty page', password: 'by password' } as const

type Cost = Readonly<Record<'ms' | 'requests' | 'kilobytes', number>>

/** The ways into the signed-in pages on a slow phone, without the user's own delays and with an empty cache. */
export async function journeyFigures(rounds: number): Promise<Figure[]> {
  await using site = await aSite('embedded', PEOPLE)
  await using running = await runMain(site.environment)
  await using empty = await emptyServer()
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: BROWSER_SWITCHES,
  })
  const costs = {
    empty: [] as Cost[],
    password: [] as Cost[],
    broker: [] as Cost[],
    wallet: [] as Cost[],
  }
  let person = 0
  const walk = (journey: Journey) => {
    person += 1
    const who = { email: emailOf(person % PEOPLE), password: site.password }
    return onPhone(browser, (page) => journey(page, running.url, who))
  }
  try {
    // The first page includes the browser's start-up cost.
    await walk(JOURNEYS.password)
    for (let round = 0; round < rounds; round += 1) {
      costs.empty.push(
        await onPhone(browser, async (page) => {
          await page.goto(`http://127.0.0.1:${empty.port}/page`)
        }),
      )
      costs.password.push(await walk(JOURNEYS.password))
      costs.broker.push(await walk(JOURNEYS.broker))
      costs.wallet.push(await walk(JOURNEYS.wallet))
    }
  } finally {
    await browser.close()
  }
  const lines = (
    name: keyof typeof JOURNEYS,
    { figure: text, against }: { figure: string; against: 'empty' | 'password' },
  ) => {
    const line = (part: keyof Cost, words: string, write: (value: number) => string) =>
      figure({
        figure: `${words} ${text}; ${BASELINES[against]}`,
        on: 'slow phone',
        ours: costs[name].map((cost) => cost[part]),
        baseline: costs[against].map((cost) => cost[part]),
        write,
      })
    return [
      line('ms', 'Time', (ms) => `${short(ms / 1000)} s`),
      line('requests', 'Requests', String),
      line('kilobytes', 'Transferred', (kilobytes) => `${short(kilobytes)} kB`),
    ]
  }
  return [
    ...lines('password', {
      figure: 'from the login page to the dashboard by password',
      against: 'empty',
    }),
    ...lines('broker', {
      figure: 'from the login page to the dashboard by an identity provider',
      against: 'password',
    }),
    ...lines('wallet', {
      figure: 'from the login page to the passport with a new hosted account',
      against: 'password',
    }),
  ]
}

/** The cost of something done on a phone with an empty cache. */
async function onPhone(browser: Browser, act: (page: Page) => Promise<void>): Promise<Cost> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    isMobile: true,
    hasTouch: true,
  })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    let requests = 0
    let bytes = 0
    devtools.on('Network.requestWillBeSent', () => {
      requests += 1
    })
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', NETWORK)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    const begin = performance.now()
    await act(page)
    return { ms: performance.now() - begin, requests, kilobytes: bytes / 1000 }
  } finally {
    await context.close()
  }
}
