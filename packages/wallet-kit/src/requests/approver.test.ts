import { expect, test } from 'vitest'
import type { WalletAccount } from '../key-keeper.ts'
import { approver, connectChoices, tokenLifetimeS, walletAccounts } from './approver.ts'

const account = (name: string, groups: WalletAccount['groups'] = []): WalletAccount => ({
  name,
  address: `tp1${name}`,
  publicKey: '',
  verified: true,
  groups,
})
const LARCH = { name: 'Larch', address: 'tp1larch' }
const accounts = [account('ada', [LARCH]), account('bob')]

const values = (connectOptions: Parameters<typeof connectChoices>[1]) =>
  connectChoices(accounts, connectOptions).map(({ value }) => value)

test.each([
  ['nothing', {}, ['tp1ada', 'tp1ada tp1larch', 'tp1bob']],
  ['an account', { individualAddress: 'tp1bob' }, ['tp1bob']],
  ['an account that is not here', { individualAddress: 'tp1eve' }, []],
  ['a group', { groupAddress: 'tp1larch' }, ['tp1ada tp1larch']],
  ['a group that is not here', { groupAddress: 'tp1oak' }, []],
  ['no groups', { prohibitGroups: true }, ['tp1ada', 'tp1bob']],
  ['a group and no groups', { groupAddress: 'tp1larch', prohibitGroups: true }, []],
])('4.1 a page that requires %s', (_, connectOptions, expected) => {
  expect(values(connectOptions)).toEqual(expected)
})

test('4.1 the request contains the account, the group and the lifetime', () => {
  const connectOptions = { groupAddress: 'tp1larch', jwtExpirationS: 77 }
  expect(connectChoices(accounts, connectOptions)[0]?.request).toEqual({
    kind: 'connect',
    address: 'tp1ada',
    group: 'tp1larch',
    jwtExpirationS: 77,
  })
})

test('9 a token is valid for one day at most', () => {
  expect(tokenLifetimeS({})).toBe(86_400)
  expect(tokenLifetimeS({ jwtExpirationS: 1e9 })).toBe(86_400)
})

const FALSE_BOB = { name: 'BOB', address: 'tp1false' }
const misled = [account('ada', [LARCH, FALSE_BOB]), account('bob')]

test('a group named like an own account has no name among the choices', () => {
  expect(connectChoices(misled, {}).map(({ group }) => group)).toEqual([
    null,
    LARCH,
    { ...FALSE_BOB, name: '' },
    null,
  ])
})

test('a group named like an own account has no name where the user acts for it', async () => {
  const shown: unknown[] = []
  const { sign } = approver({
    accounts: misled,
    origin: 'https://lender.example',
    async promptUser(prompt) {
      if (prompt.kind === 'act') shown.push(prompt.acting.group)
      return { kind: 'sign', signature: '00' }
    },
  })
  const [own] = walletAccounts(misled)
  if (own === undefined) throw new Error('There is no account')
  for (const group of [FALSE_BOB, LARCH]) {
    const acting = { account: own, group: { address: group.address } }
    await sign({ acting, request: { bytes: new Uint8Array(1) } } as never, {} as never)
  }
  expect(shown).toEqual([{ ...FALSE_BOB, name: '' }, LARCH])
})
