import { MobileWalletPage } from '@portico/contracts/mobile-wallet'
import { PAGE_DATA_ELEMENT } from '@portico/contracts/page-data'
import { expect, test } from 'vitest'
import { aWorld, newPerson } from '../support/world.ts'

const CODE = `wc:8a5e5bdc-a0e4-4702-ba63-8f1a5655744f@1?bridge=https%3A%2F%2Frelay.example&key=${'07'.repeat(32)}`

function pageData(html: string): MobileWalletPage {
  const element = new RegExp(`<script[^>]*id="${PAGE_DATA_ELEMENT}"[^>]*>([^<]*)</script>`)
  return MobileWalletPage.parse(JSON.parse(element.exec(html)?.[1] ?? ''))
}

/** The version that the service worker's script names. */
async function versionIn(script: Response) {
  const [, version = ''] = /^self\.VERSION = (.*)$/m.exec(await script.text()) ?? []
  return JSON.parse(version) as { id: string; page: string; files: string[] }
}

test('9 the mobile wallet is as strict as other pages, but may use the camera and WebAssembly', async () => {
  await using world = await aWorld()
  const { status, headers } = await world.browser().fetch('/mobile-wallet')
  expect(status).toBe(200)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'nonce-[\w-]{22}' 'strict-dynamic' 'wasm-unsafe-eval';/)
  expect(policy).toContain("connect-src 'self';")
  expect(policy).toContain("worker-src 'self'")
  expect(policy).toContain("frame-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/)
  expect(headers.get('permissions-policy')).toContain('camera=(self), microphone=()')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cache-control')).toBe('no-store')

  const other = await world.browser().fetch('/auth/login')
  expect(other.headers.get('permissions-policy')).toContain('camera=()')
  expect(other.headers.get('content-security-policy')).not.toContain('wasm')
})

test('7.4 the mobile wallet may connect to the relays that the operator lists, and to no other', async () => {
  await using world = await aWorld().withSettings({
    MOBILE_WALLET_RELAYS: 'wss://relay.partner.example,wss://10.0.0.9:8443',
  })
  const { headers } = await world.browser().fetch('/mobile-wallet')
  expect(headers.get('content-security-policy')).toContain(
    "connect-src 'self' wss://relay.partner.example wss://10.0.0.9:8443;",
  )
})

test('protocol 14: the page contains neither the code it was opened with nor a session', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner).withLog('trace')
  const browser = world.browser()
  await browser.signIn(owner)
  const response = await browser.fetch(`/mobile-wallet?data=${encodeURIComponent(CODE)}`)
  const html = await response.text()
  expect(html).not.toContain('8a5e5bdc')
  expect(html).not.toContain(owner.email)
  expect(html).toContain('<meta name="referrer" content="no-referrer">')
  expect(world.log.join('\n')).not.toContain('8a5e5bdc')
  expect(pageData(html)).toMatchObject({ orgCode: 'FIGURE', addressPrefix: 'tp', offline: true })
})

test('1 the installed wallet has the name, color and icons of its lender', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const html = await (await browser.fetch('/mobile-wallet?orgCode=CEDAR_POINT')).text()
  const [, link = ''] = /<link rel="manifest" href="([^"]+)">/.exec(html) ?? []
  // Another lender's page does not change the brand of an installed wallet.
  await browser.fetch('/auth/login?orgCode=HARBORLINE')
  const response = await browser.fetch(link)
  expect(response.headers.get('content-type')).toContain('application/manifest+json')
  const manifest = await response.json()
  expect(manifest).toMatchObject({
    name: pageData(html).wallet.mobileName,
    display: 'standalone',
    scope: '/mobile-wallet',
    start_url: '/mobile-wallet?orgCode=CEDAR_POINT',
    theme_color: expect.stringMatching(/^#[\da-f]{6}$/),
  })
  expect(manifest.icons.map(({ sizes }: { sizes: string }) => sizes)).toEqual([
    '192x192',
    '512x512',
  ])
  for (const { src } of manifest.icons) {
    const icon = await browser.fetch(src)
    expect(icon.headers.get('content-type')).toBe('image/png')
    const bytes = Buffer.from(await icon.arrayBuffer())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    const [, size] = /icon-(\d+)\.png/.exec(src) ?? []
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([Number(size), Number(size)])
  }
})

test('9 the service worker stores one version: its script and the page name the same', async () => {
  await using world = await aWorld()
  const at = async (orgCode: string) => {
    const browser = world.browser()
    const script = await browser.fetch(`/mobile-wallet/service-worker.js?orgCode=${orgCode}`)
    const version = await versionIn(script)
    return { script, version, page: await browser.fetch(version.page) }
  }
  const { script, version, page } = await at('FIGURE')
  expect(script.headers.get('service-worker-allowed')).toBe('/mobile-wallet')
  expect(script.headers.get('cache-control')).toBe('no-cache')
  expect(script.headers.get('content-security-policy')).toContain("connect-src 'self'")
  expect(version.files).toContain('/mobile-wallet/static/main.js')
  expect(version.files).toContain('/brand/figure.svg')
  expect(page.headers.get('x-mobile-wallet-version')).toBe(version.id)
  expect((await at('FIGURE')).version).toEqual(version)
  expect((await at('CEDAR_POINT')).version.id).not.toBe(version.id)
})
