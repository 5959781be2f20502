import { fakeClient, refusal } from '@portico/client/testing'
import { after, walk } from '@portico/flow/testing'
import { UNEXPECTED } from '@portico/shell/failure'
import { memoryStorage, neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import type { GatekeeperResult } from '../../environment.ts'
import { memoryJwt, renderStatic } from '../../testing.tsx'
import { fakeConnection } from '../connection/testing.ts'
import { type Event, selectWallet } from './select-wallet.flow.ts'
import { events, inputs, wallet } from './select-wallet.samples.ts'
import { selectWalletServices } from './select-wallet.services.ts'
import { SelectWalletView } from './select-wallet.view.tsx'

const open = { chosen: undefined }
const read: Event = { type: 'walletsRead', wallets: [wallet] }
const chosen: Event = { type: 'walletChosen', wallet }
const selected: Event = { type: 'selected', wallet, connected: undefined }
const gatekeeper = [{ step: 'leaving' }, { type: 'runGatekeeper' }]

test('4.8 choosing an account-owner wallet calls select-account, then goes to Connect', () => {
  expect(after(selectWallet, open, [read, chosen]).slice(1)).toEqual([
    { type: 'selectAccount', wallet },
  ])
  expect(after(selectWallet, open, [read, chosen, selected])).toEqual([{ step: 'Connect', wallet }])
})

test('4.8 a newly created account is selected automatically, once', () => {
  const choice = { chosen: wallet.address }
  expect(after(selectWallet, choice, [read]).slice(1)).toEqual([{ type: 'selectAccount', wallet }])
  expect(after(selectWallet, choice, [read, selected, { type: 'back' }, read])).toEqual([
    { step: 'Select', wallets: [wallet] },
  ])
})

test('4.8 once connected and the connected address equals the chosen wallet, the gatekeeper runs', () => {
  const connected: Event = { type: 'connected', connected: { address: wallet.address } }
  expect(after(selectWallet, open, [read, chosen, selected, connected])).toEqual(gatekeeper)
  const already: Event = { type: 'selected', wallet, connected: { address: wallet.address } }
  expect(after(selectWallet, open, [read, chosen, already])).toEqual(gatekeeper)
})

test('4.8 a mismatch disconnects and returns to Select', () => {
  const connected: Event = { type: 'connected', connected: { address: 'tp1somebodyelse' } }
  const [state, ...commands] = after(selectWallet, open, [read, chosen, selected, connected])
  expect(state).toMatchObject({
    step: 'Select',
    failure: {
      notices: [expect.stringMatching(/Everyday \(tp1kn.*tp1so/), 'Please choose again.'],
    },
  })
  expect(commands).toEqual([{ type: 'disconnect' }, { type: 'readWallets' }])
})

test('4.2 without a wallet the user creates one first', () => {
  expect(after(selectWallet, open, [{ type: 'walletsRead', wallets: [] }]).slice(1)).toEqual([
    { type: 'createWallet' },
  ])
})

test('4.8 random walk: the gatekeeper runs only with a matching wallet', () => {
  walk(
    selectWallet,
    { inputs, events },
    {
      steps: 3000,
      invariant(_, commands, before) {
        if (commands.some(({ type }) => type === 'runGatekeeper')) {
          expect(['Select', 'Connect']).toContain(before.step)
        }
      },
    },
  )
})

function world(
  answers: Record<string, unknown>,
  redirectUrl = '/loans',
  decision: GatekeeperResult = { path: '/universal-passport' },
) {
  const { client, calls } = fakeClient(answers)
  const jwt = memoryJwt('Bearer old')
  const storage = memoryStorage()
  const visited: string[] = []
  const gatekeeperRequests: unknown[] = []
  const services = selectWalletServices({
    client,
    connection: fakeConnection().connection,
    jwt,
    storage,
    gatekeeper: async (request) => {
      gatekeeperRequests.push(request)
      return decision
    },
    identityTokenUpdated: () => undefined,
    location: () => new URL('https://lender.example/auth/wallet/organization/select-account'),
    navigate: (to) => visited.push(to),
    reportError: () => undefined,
    redirectUrl,
  })
  return { services, calls, jwt, storage, visited, gatekeeperRequests }
}

test('4.8 select-account carries the wallet address; its token is stored', async () => {
  const { services, calls, jwt, storage } = world({ selectAccount: { jwt: 'new' } })
  const result = await services.selectAccount({ type: 'selectAccount', wallet }, neverAborted)
  expect(result).toEqual(selected)
  expect(calls).toEqual([{ name: 'selectAccount', body: { walletAddress: wallet.address } }])
  expect([jwt.read(), storage.read('ownerWallet')]).toEqual(['new', wallet.address])
})

test("8 authentication flow: 'Error selecting account'", async () => {
  const { services } = world({ selectAccount: refusal('wallet-not-verified') })
  const result = await services.selectAccount({ type: 'selectAccount', wallet }, neverAborted)
  expect(result).toMatchObject({
    type: 'refused',
    failure: { notices: ['Error selecting account', 'Wallet Verification Required'] },
  })
})

test('4.8 the gatekeeper runs with intent kyc and redirects', async () => {
  const { services, visited, gatekeeperRequests } = world({})
  await services.runGatekeeper({ type: 'runGatekeeper' }, neverAborted)
  const to = '/loans'
  const expected = { intent: 'kyc', redirectUrl: to, incompleteRedirectUrl: to }
  expect(gatekeeperRequests).toEqual([expected])
  expect(visited).toEqual(['/universal-passport'])
  // When the user returns to the wallet page, the account is already selected.
  const toWallet = world({}, '/auth/wallet?redirectUrl=%2Floans')
  await toWallet.services.runGatekeeper({ type: 'runGatekeeper' }, neverAborted)
  const back = '/auth/wallet?redirectUrl=%2Floans&section=Connect'
  expect(toWallet.gatekeeperRequests).toMatchObject([{ intent: 'kyc', redirectUrl: back }])
})

test('5 a violation leads nowhere: the list is shown with an error', async () => {
  const { services, visited } = world({}, '/loans', { violations: ['a rule'] })
  const result = await services.runGatekeeper({ type: 'runGatekeeper' }, neverAborted)
  expect(result).toEqual({ type: 'refused', failure: UNEXPECTED })
  expect(visited).toEqual([])
})

test('4.8 the list shows each wallet as its own account', () => {
  const state = { step: 'Select', wallets: [wallet] } as const
  const { html, text } = renderStatic(
    <SelectWalletView
      state={state}
      send={() => undefined}
      backTo="/loans"
      supportPhone="8005550142"
    />,
  )
  expect(text).toBe('Everyday Verified tp1kn...tklkh Owner Back')
  expect(html).toContain('href="/loans"')
})
