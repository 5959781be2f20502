import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAccounts } from './account.ts'

const NONE = {
  address: '',
  publicKey: '',
  jwt: '',
  walletInfo: {},
  attributes: [],
  representedGroupPolicy: null,
}

test('protocol 7: the object form of current wallets is parsed, and unknown fields of a group are kept', () => {
  const account = {
    publicKey: 'Ax6LE0FlMU9qMFYEOJZpEXQ49IPjbsgCrk/2khQ6UM7k',
    address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
    jwt: 'a.b.c',
    walletInfo: { id: 'abc', name: 'My account', coin: 'testNet' },
    attributes: [{ name: 'x.pb', type: 'int', value: 1 }],
    representedGroupPolicy: {
      address: 'tp1group',
      groupId: 55,
      decisionPolicy: { '@type': 'threshold', threshold: '1' },
    },
  }
  expect(parseAccounts([{ ...account, walletAppId: 'figure_mobile' }])).toEqual(account)
})

test('protocol 7: the array form of old wallets is parsed, and missing fields are empty', () => {
  expect(parseAccounts(['tp1', 'key', 'jwt'])).toEqual({
    ...NONE,
    address: 'tp1',
    publicKey: 'key',
    jwt: 'jwt',
  })
  expect(parseAccounts(['tp1'])).toEqual({ ...NONE, address: 'tp1' })
})

test("protocol 7: a group without an address, such as the public library's empty object, is not a group", () => {
  for (const representedGroupPolicy of [{}, null, { address: '' }, { groupId: 5 }, 'tp1', []]) {
    expect(parseAccounts([{ address: 'tp1', representedGroupPolicy }])).toEqual({
      ...NONE,
      address: 'tp1',
    })
  }
})

test('protocol 7: a field of the wrong type is empty and does not affect the others', () => {
  const odd = {
    address: 'tp1',
    publicKey: 7,
    jwt: null,
    walletInfo: { id: 3, name: {}, coin: 'coin' },
    attributes: {},
  }
  expect(parseAccounts([odd])).toEqual({
    ...NONE,
    address: 'tp1',
    walletInfo: { id: 3, name: undefined, coin: 'coin' },
  })
})

test('protocol 7: missing, empty or invalid accounts give empty fields and never throw', () => {
  for (const accounts of [undefined, null, [], {}, 'tp1', 7, [null], [[]]]) {
    expect(parseAccounts(accounts)).toEqual(NONE)
  }
  fc.assert(
    fc.property(fc.jsonValue(), (accounts) => {
      expect(Object.keys(parseAccounts(accounts))).toEqual(Object.keys(NONE))
    }),
  )
})
