import { expect, test } from 'vitest'
import { orderedWalletKinds, phoneReach } from './wallet-discovery.ts'

const computer = { extensionInstalled: false, lastUsed: undefined, onPhone: false }

test.each([
  [computer, ['mobile', 'extension', 'hosted']],
  [{ ...computer, extensionInstalled: true }, ['extension', 'mobile', 'hosted']],
  [{ ...computer, lastUsed: 'hosted' }, ['hosted', 'mobile', 'extension']],
  [
    { ...computer, extensionInstalled: true, lastUsed: 'hosted' },
    ['hosted', 'extension', 'mobile'],
  ],
  // An extension that was removed is not offered first.
  [{ ...computer, lastUsed: 'extension' }, ['mobile', 'extension', 'hosted']],
  [{ ...computer, lastUsed: 'extension', onPhone: true }, ['mobile', 'extension', 'hosted']],
] as const)(
  '2.7 the last used wallet comes first, then an installed extension: %j',
  (given, kinds) => {
    expect(orderedWalletKinds(given)).toEqual(kinds)
  },
)

test.each([
  ['localhost', 'none'],
  ['app.localhost', 'none'],
  ['127.0.0.1', 'none'],
  ['[::1]', 'none'],
  ['192.168.1.7', 'same-network'],
  ['10.0.0.5', 'same-network'],
  ['172.16.0.1', 'same-network'],
  ['172.32.0.1', 'all'],
  ['studio.local', 'same-network'],
  ['[fd00::1]', 'same-network'],
  ['lender.example', 'all'],
  ['10.example', 'all'],
] as const)('a phone can reach %s: %s', (host, reach) => {
  expect(phoneReach(host)).toBe(reach)
})
