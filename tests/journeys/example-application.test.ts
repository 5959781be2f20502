/** The application in examples/lender-app, built with the SDK, next to a real Portico. */
import { confirmIdentity, sendConfirmation } from '@portico/contracts/account-security'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Browser, openBrowser } from '../support/browser.ts'
import { type LenderApp, lenderAppClient, startLenderApp } from '../support/lender-app-process.ts'
import { PEOPLE } from '../support/people.ts'
import { aWorld } from '../support/world.ts'

const WAITS = { timeout: 15_000 }

let world: Awaited<ReturnType<typeof aWorld>>
let app: LenderApp
beforeAll(async () => {
  const client = await lenderAppClient()
  world = await aWorld().withClients([client])
  app = await startLenderApp(world.origin, client)
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

/** A browser that visits both the application and Portico. */
function openBoth() {
  const portico: Browser = world.browser()
  const own: Browser = openBrowser({
    url: () => app.url,
    origin: () => app.url,
    passcode: world.passcode,
  })
  const siteOf = ({ origin }: URL) => (origin === app.url ? own : portico)

  /** Opens a page, and follows all redirects. */
  async function visit(path: string): Promise<{ readonly url: URL; readonly text: string }> {
    let url = new URL(path, app.url)
    for (;;) {
      const response = await siteOf(url).fetch(url.href, { headers: { accept: 'text/html' } })
      const location = response.headers.get('location')
      if (location === null) return { url, text: await response.text() }
      url = new URL(location, url)
    }
  }

  /** Continues after the user did what a page of Portico asked for. */
  const goOn = ({ url }: { readonly url: URL }) =>
    visit(`${world.origin}${url.searchParams.get('redirectUrl')}`)

  async function signIn(who: { email: string; password: string }) {
    const page = await visit('/loan')
    await portico.signIn(who)
    return goOn(page)
  }

  async function stepUp(page: { readonly url: URL }, email: string) {
    const { loginUuid } = await portico.call(sendConfirmation, {})
    const token = await world.passcode(email)
    await portico.call(confirmIdentity, { body: { loginUuid, token } })
    return goOn(page)
  }

  const post = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    own.fetch(path, { method: 'POST', headers })

  async function user(): Promise<{ email: string } | null> {
    const { user } = (await (await own.fetch('/session')).json()) as {
      user: { email: string } | null
    }
    return user
  }

  return { portico, own, visit, signIn, stepUp, post, user }
}

test('a user signs in, confirms, and pays once however often the button is pressed', async () => {
  const browser = openBoth()
  const page = await browser.visit('/loan')
  expect(page.url.pathname).toBe('/auth/login')
  expect(page.url.searchParams.get('orgCode')).toBe('HARBORLINE')
  const loan = await browser.signIn(PEOPLE.plain)
  expect(loan.url.href).toBe(`${app.url}/loan`)
  expect(loan.text).toContain('Installment 4 of 24')
  expect(loan.text).toContain(PEOPLE.plain.email)

  // One factor is not enough, whatever the address says.
  const early = await browser.post('/pay/4')
  expect(early.headers.get('location')).toMatch(/^\/login\?.*acr=two-factor&maxAge=300$/)
  expect((await browser.visit('/loan')).text).toContain('Installment 4 of 24')

  const question = await browser.visit('/pay/4')
  expect(question.url.pathname).toBe('/auth/confirm')
  const pay = await browser.stepUp(question, PEOPLE.plain.email)
  expect(pay.url.href).toBe(`${app.url}/pay/4`)

  const forged = await browser.post('/pay/4', { origin: 'https://evil.example' })
  expect(forged.status).toBe(403)
  const presses = await Promise.all(Array.from({ length: 12 }, () => browser.post('/pay/4')))
  expect(new Set(presses.map(({ headers }) => headers.get('location')))).toEqual(
    new Set(['/loan?paid=4']),
  )
  const { text } = await browser.visit('/loan?paid=4')
  expect(text).toContain('Installment 4 is paid')
  expect(text).toContain('Installment 5 of 24')
  expect(text).toContain('$1,650.00')
})

test('webhooks appear as activity of their user, once, and a forged one is refused', async () => {
  const browser = openBoth()
  await browser.signIn(PEOPLE.individual)
  const entries = async () =>
    [...(await browser.visit('/activity')).text.matchAll(/<li><span>([^<]+)/g)].map(
      ([, name]) => name,
    )
  const [endpoint = ''] = (await world.server.manageWebhooks(['list']))
    .split('\n')
    .filter((line) => line.includes(new URL(app.url).host) && line.includes('FIGURE'))
  const [id = ''] = endpoint.split(' ')
  const allArrive = () =>
    vi.waitFor(async () => {
      expect(await entries()).toContain('Logged in')
      expect(await world.server.manageWebhooks(['history', id])).not.toContain('next attempt')
    }, WAITS)
  await allArrive()
  const before = await entries()
  const since = new Date(world.clock.now() - 60 * 60 * 1000).toISOString()
  expect(await world.server.manageWebhooks(['replay', id, since])).toMatch(/^[1-9]\d* webhooks/)
  await allArrive()
  expect(await entries()).toEqual(before)

  const event = { type: 'session.started', timestamp: new Date().toISOString(), data: {} }
  const forged = await fetch(`${app.url}/webhooks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AAAA',
    },
    body: JSON.stringify(event),
  })
  expect(forged.status).toBe(400)
})

test('a logout at Portico ends the session of the application', async () => {
  const browser = openBoth()
  await browser.signIn(PEOPLE.several)
  expect(await browser.user()).toMatchObject({ email: PEOPLE.several.email })
  await browser.portico.logOut()
  await vi.waitFor(async () => expect(await browser.user()).toBeNull(), WAITS)
  expect((await browser.visit('/loan')).url.pathname).toBe('/auth/login')
})

test('a logout here leaves the session at Portico, and a logout everywhere ends it', async () => {
  const browser = openBoth()
  await browser.signIn(PEOPLE.broker)
  const here = await browser.post('/logout?only=here')
  expect(here.headers.get('location')).toBe('/')
  expect(await browser.user()).toBeNull()
  // Portico needs no page to sign the user in again.
  expect((await browser.visit('/loan')).url.href).toBe(`${app.url}/loan`)

  const everywhere = await browser.post('/logout')
  const left = await browser.visit(everywhere.headers.get('location') ?? '')
  expect(left.url.href).toBe(`${app.url}/`)
  expect(browser.portico.cookies.has('portico-session')).toBe(false)
  expect((await browser.visit('/loan')).url.pathname).toBe('/auth/login')
})

test('a page, another machine or a public address cannot register a receiver of webhooks', async () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const url = 'http://localhost:3999/webhooks'
  const register = (body: object, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${world.url}/dev/webhook-receivers`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const valid = { organization: 'FIGURE', url, secret }
  expect((await register(valid, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await register(valid, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  for (const invalid of [
    { ...valid, url: 'https://evil.example/' },
    { ...valid, url: 'http://169.254.169.254/' },
    { ...valid, url: 'http://localhost.evil.example/' },
    { ...valid, organization: 'NONE' },
    { ...valid, secret: 'whsec_short' },
  ]) {
    expect((await register(invalid)).status).toBe(400)
  }
})
