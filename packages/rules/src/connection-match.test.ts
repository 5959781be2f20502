import { expect, test } from 'vitest'
import { connectionMatch } from './connection-match.ts'

const addr = { walletAddress: 'tp1me' }
const both = { walletAddress: 'tp1me', groupPolicyAddress: 'tp1group' }

test.each([
  ['no wallet is connected', undefined, addr, 'missing'],
  ['the address is the token’s', { address: 'tp1me' }, addr, 'matches'],
  ['the address is in upper case', { address: 'TP1ME' }, addr, 'matches'],
  ['the address is another one', { address: 'tp1you' }, addr, 'mismatch'],
  ['address and group are the token’s', { address: 'tp1me', group: 'tp1group' }, both, 'matches'],
  ['the group is another one', { address: 'tp1me', group: 'tp1other' }, both, 'mismatch'],
  ['the group is not represented', { address: 'tp1me' }, both, 'mismatch'],
  [
    'a group is represented, but none was chosen',
    { address: 'tp1me', group: 'tp1group' },
    addr,
    'mismatch',
  ],
] as const)(
  '4.2 the connected wallet against the selected token: %s',
  (_, wallet, chosen, expected) => {
    expect(connectionMatch(wallet, chosen)).toBe(expected)
  },
)
