import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { networkOf, siteOf } from './network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::3:4:5:6', '2001:db8:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8::203.0.113.7', '2001:db8:0:0::/64'],
  ['203.0.113.7:51000', '203.0.113.7'],
  ['[2001:db8:1:2::3]:443', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::3]', '2001:db8:1:2::/64'],
  ['not an address', undefined],
  ['203.0.113.7:', undefined],
  ['999.0.113.7', undefined],
  ['[203.0.113.7', undefined],
  ['', undefined],
])('9 %s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['203.0.113.7', '203.0.113.7'],
  ['unknown', 'unknown'],
])('9 the network %s belongs to the site %s', (network, site) => {
  expect(siteOf(network)).toBe(site)
})

test('9 every address of a /64 counts as one network, in any notation', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((number) => number.toString(16))
  fc.assert(
    fc.property(fc.array(group, { minLength: 12, maxLength: 12 }), (groups) => {
      const prefix = groups.slice(0, 4)
      const [one, two] = [groups.slice(4, 8), groups.slice(8, 12)].map((end) =>
        [...prefix, ...end].join(':'),
      )
      fc.pre(isIPv6(one ?? '') && isIPv6(two ?? ''))
      expect(networkOf(one ?? '')).toBe(networkOf(two ?? ''))
      expect(networkOf((one ?? '').toUpperCase())).toBe(networkOf(one ?? ''))
    }),
  )
})
