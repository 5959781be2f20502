import { expect, test } from 'vitest'
import { mismatchNotice, networkNotice } from './wallet-mismatch.ts'

const TEST = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const OTHER = 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'
const MAIN = 'pb1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'

test('4.8 a mismatch names the account that was chosen and the one that connected', () => {
  expect(mismatchNotice({ name: 'Savings', address: TEST }, { address: OTHER })).toBe(
    'You chose Savings (tp1kn...tklkh), but the wallet connected as tp13d...axwxy. We disconnected it.',
  )
  expect(mismatchNotice({ address: TEST }, { address: TEST, group: OTHER })).toBe(
    'You chose tp1kn...tklkh, but the wallet connected as tp13d...axwxy. We disconnected it.',
  )
})

test('4.8 a wallet on another network is reported with both networks', () => {
  const notice =
    'This wallet is on the main network (addresses that begin with pb), but this site uses the test network (addresses that begin with tp). Switch the network in your wallet, or use another wallet.'
  expect(mismatchNotice({ name: 'Savings', address: TEST }, { address: MAIN })).toBe(notice)
  expect(networkNotice(TEST, MAIN)).toBe(notice)
  expect(networkNotice(TEST, 'osmo1abc')).toContain('a network with addresses that begin with osmo')
  expect(networkNotice(TEST, OTHER.toUpperCase())).toBeUndefined()
})

test('4.2 the right group with another member names the member, not the group twice', () => {
  const group = 'tp1q8q0z0w0j7a2zq5n2v3e5l3h9u8'
  const notice = mismatchNotice(
    { name: 'Larch Partners', address: group },
    { address: 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy', group },
  )
  expect(notice).toBe(
    'The wallet acts for Larch Partners (tp1q8...3h9u8), but with the account tp13d...axwxy, which is not the one you chose. We disconnected it.',
  )
})
