import { formatUri } from '@portico/wallet-connect/protocol'
import { expect, test } from 'vitest'
import { codeKind } from './code-kind.ts'

const URI = formatUri({
  handshakeTopic: '8a5e5bdc-a0e4-4702-ba63-8f1a5655744f',
  bridge: 'https://wallet.example/relay',
  key: new Uint8Array(32).fill(7),
  options: {},
})

test.each([
  URI,
  `  ${URI}\n`,
  encodeURIComponent(URI),
  `https://wallet.example/mobile-wallet?data=${encodeURIComponent(encodeURIComponent(URI))}`,
])('protocol 14: %s is a connection', (text) => {
  expect(codeKind(text)).toEqual({ kind: 'connection', uri: URI })
})

test.each([
  ['https://shop.example/menu?x=1', 'This is a link to shop.example, not a connection.'],
  ['https://wallet.example/mobile-wallet', 'This is a link to wallet.example, not a connection.'],
  ['wc:7f6e504bfad6@2?relay-protocol=irn&symKey=58', 'This code is for another kind of wallet.'],
  [URI.slice(0, -9), 'This connection code is damaged or incomplete.'],
  [
    'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
    'This is an address for payments, not a connection.',
  ],
  [
    'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    'This is an address for payments, not a connection.',
  ],
  ['WIFI:S:cafe;T:WPA;P:secret;;', 'This code contains a text, not a connection.'],
  ['javascript:alert(1)', 'This code contains a text, not a connection.'],
  ['', 'This code contains a text, not a connection.'],
])('2.7 the scanner says what %s is instead of a connection', (text, reason) => {
  expect(codeKind(text)).toEqual({ kind: 'other', reason })
})
