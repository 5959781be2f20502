import { clickableLink, formatUri, unwrapUri } from '@portico/wallet-connect/protocol'
import { expect, test } from 'vitest'
import { takeArrivalCode } from './arrival.ts'

const URI = formatUri({
  handshakeTopic: '8a5e5bdc-a0e4-4702-ba63-8f1a5655744f',
  bridge: 'https://wallet.example/relay',
  key: new Uint8Array(32).fill(7),
  options: {},
})
const OURS = {
  linkOrigin: 'https://wallet.example/mobile-wallet',
  connectPage: 'https://wallet.example/wallet/connect',
  tapPage: 'https://wallet.example/wallet-connect',
  packageName: 'p',
  appStoreId: '1',
}

function open(href: string) {
  const replaced: unknown[] = []
  const code = takeArrivalCode({
    location: { href },
    history: { replaceState: (...args: unknown[]) => void replaced.push(args) },
  } as unknown as Window) // Only these parts of a window are used.
  return { code, replaced }
}

test.each([
  ['a short link', `https://wallet.example/mobile-wallet?data=${encodeURIComponent(URI)}`],
  [
    'one encoded twice',
    `https://wallet.example/mobile-wallet?data=${encodeURIComponent(encodeURIComponent(URI))}`,
  ],
  ['a dynamic link', clickableLink(URI, OURS)],
])('protocol 14: %s yields the code, and leaves no trace in the address', (_, href) => {
  const { code, replaced } = open(href)
  expect(unwrapUri(code ?? '')).toBe(URI)
  expect(replaced).toEqual([[null, '', '/mobile-wallet']])
})

test('protocol 14: an address without a code is not changed', () => {
  expect(open('https://wallet.example/mobile-wallet?orgCode=FIGURE')).toEqual({
    code: undefined,
    replaced: [],
  })
})
