/** A lender's pages and mail have its brand; the gallery shows them all. */
import { GALLERY_PATH, GALLERY_SCREENS } from '@portico/contracts/gallery'
import { register, sendToken } from '@portico/contracts/identity'
import { expect, test, vi } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { aWorld, newPerson } from '../support/world.ts'

const WAITS = { timeout: 60_000, interval: 50 }

test('1, 2.3 a page has its organization’s colors, icon and own style sheet, under the page’s policy', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const page = await browser.fetch('/auth/login?orgCode=HARBORLINE')
  const html = await page.text()
  expect(html).toContain('--brand:#9a3412')
  expect(html).toMatch(
    /<meta name="theme-color" media="\(prefers-color-scheme: light\)" content="#9a3412">/,
  )
  expect(html).toMatch(
    /<meta name="theme-color" media="\(prefers-color-scheme: dark\)" content="#\w{6}">/,
  )
  expect(html).toMatch(/<link rel="icon" href="data:image\/svg\+xml,[^"<>]*">/)
  expect(page.headers.get('content-security-policy')).toContain("style-src 'self' 'nonce-")

  const [, href = ''] = /<link rel="stylesheet" href="(\/brand\/styles\/[^"]+)"/.exec(html) ?? []
  const sheet = await browser.fetch(href)
  expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(sheet.headers.get('cache-control')).toContain('immutable')
  expect(await sheet.text()).toMatch(/^@layer organization\{:root\{--radius:2px;.*\}$/)
  const plain = await (await world.browser().fetch('/auth/login?orgCode=CEDAR_POINT')).text()
  expect(plain).not.toContain('/brand/styles/')
})

test('9 a page with a label has the label’s color, as fixed by the specification', async () => {
  await using world = await aWorld()
  for (const [label, color] of [
    ['apollo', '#007b63'],
    ['hamilton', '#1f385b'],
    ['outpost', '#005288'],
    ['novawulf', '#1e3464'],
  ]) {
    const html = await (await world.browser().fetch(`/auth/login?label=${label}`)).text()
    expect(html).toContain(`:root{--brand:${color};--on-brand:#ffffff`)
    expect(html).toContain(`data-label="${label}"`)
  }
})

test('7 mail that is sent later keeps the brand, sender and links of its page', async () => {
  const sent: { from: string; to: string; html: string; text: string }[] = []
  await using world = await aWorld().inProduction({
    send: async (mail) => void sent.push(mail),
    close: () => undefined,
  })
  const { email } = newPerson('later')
  const browser = world.browser()
  await browser.fetch('/auth/login?orgCode=COPPERLARK')
  await browser.call(register, { body: { email } })
  await browser.call(sendToken, { body: { email } })
  // By the time it is sent, the browser is at another organization.
  await browser.fetch('/auth/login?orgCode=HARBORLINE')
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(0), WAITS)
  const [mail] = sent
  expect(mail).toMatchObject({
    to: email,
    from: expect.stringMatching(/^Copperlark .*<no-reply@copperlark\.example>$/),
  })
  expect(mail?.html).toContain('https://login.lender.example/legal/copperlark/terms')
  expect(mail?.html).not.toContain('Harborline')
})

test('6 an organization is served at its own host, and its mail links there', async () => {
  await using world = await aWorld().withSettings({ PUBLIC_URL: 'https://login.lender.example' })
  const host = 'login.amberfield.example'
  const ask = (origin: string, email: string) => {
    const body = JSON.stringify({ email })
    return rawRequest(
      world.url,
      [
        `POST ${sendToken.path} HTTP/1.1`,
        `Host: ${host}`,
        `Origin: ${origin}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  }
  const { email } = newPerson('hosted')
  expect(await ask(`https://${host}`, email)).toMatch(/^HTTP\/1\.1 200 /)
  const [mail] = await world.mail(email)
  expect(mail?.from).toMatch(/^Amberfield Mortgage <no-reply@amberfield\.example>$/)
  expect(mail?.text).toContain(`https://${host}/auth/register?`)
  // Every other origin is foreign there, including the installation's own.
  for (const foreign of ['https://login.lender.example', 'https://evil.example']) {
    expect(await ask(foreign, email)).toMatch(/^HTTP\/1\.1 403 /)
  }
})

test('1 the gallery shows every screen in every brand, framed by our own pages only', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const page = await browser.fetch(`${GALLERY_PATH}?brand=HARBORLINE`)
  const html = await page.text()
  for (const screens of Object.values(GALLERY_SCREENS)) {
    for (const title of Object.values(screens)) expect(html).toContain(`title="${title}"`)
  }
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  expect(page.headers.getSetCookie()).toEqual([])
  const brands = (await (await browser.fetch(`${GALLERY_PATH}/brands`)).json()) as unknown[]
  expect(brands.length).toBeGreaterThanOrEqual(64)

  for (const query of ['"><script>alert(1)</script>', '__proto__', '%00']) {
    const odd = await browser.fetch(
      `${GALLERY_PATH}?brand=${encodeURIComponent(query)}&screen=${encodeURIComponent(query)}`,
    )
    expect(odd.status).toBe(200)
    expect(await odd.text()).not.toContain('<script')
  }
})

test('9 in production there is no gallery', async () => {
  await using world = await aWorld().inProduction({
    send: async () => undefined,
    close: () => undefined,
  })
  for (const path of ['', '/brands', '/auth/login', '/static/auth/x.js']) {
    expect((await world.browser().fetch(`${GALLERY_PATH}${path}`)).status, path).toBe(404)
  }
})
