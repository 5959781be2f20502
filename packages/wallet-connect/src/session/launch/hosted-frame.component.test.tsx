import { afterEach, expect, test } from 'vitest'
import { serveHostedFrames } from './hosted-frame.ts'
import { WALLET_ADDRESSES, type WalletAddresses } from './wallet-addresses.ts'

const OVERRIDE = 'FIGURE_HOSTED_WALLET_URL_TEST_OVERRIDE'
const URI = 'wc:one@1?bridge=wss%3A%2F%2Frelay.example&key=00'

let stop = () => {}

afterEach(() => {
  stop()
  localStorage.removeItem(OVERRIDE)
})

function serve(addresses: Partial<WalletAddresses['hosted']> = {}, onReplaced = () => {}): void {
  const hosted = { ...WALLET_ADDRESSES.hosted, ...addresses }
  stop = serveHostedFrames({ hosted }, onReplaced)
}

const panels = () => document.querySelectorAll('#figure-wallet-hosted')

/** Sends the wallet an event of the page; returns the URL that its frame opens, if there is one. */
function send(detail: object): URL | undefined {
  document.dispatchEvent(new CustomEvent(WALLET_ADDRESSES.hosted.event, { detail }))
  const frame = document.querySelector<HTMLIFrameElement>('#figure-wallet-hosted > iframe')
  return frame === null ? undefined : new URL(frame.src)
}

const start = (walletId: string, detail: object = {}) =>
  send({ event: 'walletconnect_init', walletId, uri: URI, ...detail })

test('2.8 the path of the hosted wallet is /figure-wallet, and another one on a test host', () => {
  serve({ testUrl: '/test/figure-wallet' })
  expect(start('figure_hosted')?.pathname).toBe('/figure-wallet')
  expect(start('figure_hosted_test')?.pathname).toBe('/test/figure-wallet')
})

test('2.8 an override in this browser replaces the test path only, and must be a URL that is encrypted or local', () => {
  serve()
  localStorage.setItem(OVERRIDE, 'https://wallet.example/connect')
  expect(start('figure_hosted_test')?.href).toMatch('https://wallet.example/connect?wc=')
  expect(start('figure_hosted')?.pathname).toBe('/figure-wallet')
  localStorage.setItem(OVERRIDE, 'https://')
  expect(start('figure_hosted_test')?.pathname).toBe('/figure-wallet')
  localStorage.setItem(OVERRIDE, 'http://wallet.example/connect')
  expect(start('figure_hosted_test')).toBeUndefined()
})

test('protocol 13: the frame gets wc, address, event and redirectUrl, each only when present', () => {
  serve()
  const redirectUrl = 'https://page.example/?x=1'
  const queryOf = (url: URL | undefined) => Object.fromEntries(url?.searchParams ?? [])
  expect(queryOf(start('figure_hosted', { redirectUrl }))).toEqual({
    wc: URI,
    event: 'walletconnect_init',
    redirectUrl,
  })
  panels()[0]?.remove()
  const request = { event: 'walletconnect_event', walletId: 'figure_hosted', address: 'tp1me' }
  expect(queryOf(send(request))).toEqual({ event: 'walletconnect_event', address: 'tp1me' })
})

test('protocol 13: only a start, a request and the end open the frame, in the page’s element or in the body', () => {
  serve()
  for (const event of [
    'walletconnect_connect',
    'walletconnect_session_update',
    'resetConnectionTimeout',
    'other',
    undefined,
  ]) {
    expect(send({ event, walletId: 'figure_hosted' })).toBeUndefined()
  }
  const parent = document.createElement('div')
  parent.id = 'wallet-here'
  document.body.append(parent)
  for (const [event, iframeParentId, expected] of [
    ['walletconnect_init', 'wallet-here', parent],
    ['walletconnect_event', 'missing', document.body],
    ['walletconnect_disconnect', undefined, document.body],
  ] as const) {
    expect(send({ event, walletId: 'figure_hosted', iframeParentId })).toBeDefined()
    expect(panels()[0]?.parentElement).toBe(expected)
    // A frame that is open stays: the wallet gets the request over the relay.
    send({ event: 'walletconnect_event', walletId: 'figure_hosted' })
    expect(panels()).toHaveLength(1)
    panels()[0]?.remove()
  }
  parent.remove()
})

test('2.8 the frame is fixed, 600 by 600 px at the top right, and 50 by 50 px when it is minimized', () => {
  serve()
  start('figure_hosted')
  const [panel] = panels()
  const style = panel && getComputedStyle(panel)
  expect([style?.position, style?.zIndex]).toEqual(['fixed', '2147483647'])
  const { clientWidth } = document.documentElement
  expect(panel?.getBoundingClientRect()).toMatchObject({
    top: 0,
    right: clientWidth,
    width: 600,
    height: 600,
  })
  panel?.classList.add('minimized')
  expect(panel?.getBoundingClientRect()).toMatchObject({
    top: 50,
    right: clientWidth,
    width: 50,
    height: 50,
  })
})

test('7.4 create_iframe: a frame is announced to other tabs, and the announcement of another tab closes it', async () => {
  const announced: unknown[] = []
  const others = new BroadcastChannel('figure-hosted-wallet')
  others.addEventListener('message', ({ data }) => announced.push(data))
  let replaced = 0
  serve({}, () => {
    replaced += 1
  })
  start('figure_hosted')
  await expect.poll(() => announced).toEqual([{ type: 'create_iframe' }])
  expect([panels().length, replaced]).toEqual([1, 0])
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has one origin, the page's.
  others.postMessage({ type: 'create_iframe' })
  await expect.poll(() => [panels().length, replaced]).toEqual([0, 1])
  others.close()
})
