import { ApiError } from '@portico/client/api-error'
import { fakeClient, refusal } from '@portico/client/testing'
import { WalletType } from '@portico/contracts/wallet'
import { after, walk } from '@portico/flow/testing'
import type { AccountChoice } from '@portico/rules/account-sections'
import type { ConnectedWallet } from '@portico/rules/connection-match'
import { UNEXPECTED } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { memoryStorage, neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { memoryJwt, renderStatic } from '../../testing.tsx'
import { fakeConnection } from '../connection/testing.ts'
import {
  type Command,
  type Event,
  forbiddenChoice,
  type Input,
  openingOf,
  type Result,
  type State,
  statusOf,
  walletModal,
} from './wallet-modal.flow.ts'
import { choice, events, inputs, listed, ORGANIZATION, WALLET } from './wallet-modal.samples.ts'
import { walletModalServices } from './wallet-modal.services.ts'
import { TITLES, WalletModalView } from './wallet-modal.view.tsx'

const select: Input = { section: 'Select' }
const own = choice()
const group = choice('Group')
const old = choice('Shared', 'PROVENANCE')
const read: Event = { type: 'accountsRead', items: listed(own, group, old), wallet: undefined }
const chosen = (one: AccountChoice): Event => ({ type: 'accountChosen', choice: one })
const selected = (one: AccountChoice, wallet?: ConnectedWallet): Event => ({
  type: 'selected',
  choice: one,
  wallet,
})
const forbidden = (one: AccountChoice, wallet?: ConnectedWallet): Event => ({
  type: 'forbidden',
  choice: one,
  wallet,
})
const me = { address: WALLET }
const stranger = { address: 'tp1somebodyelse' }
const success = { type: 'returnResult', result: { kind: 'success' } }
const disconnect = { type: 'disconnect' }
const back: Event = { type: 'back' }

const stepAfter = (input: Input, ...event: Event[]) => statusOf(after(walletModal, input, event)[0])
const commandsAfter = (input: Input, ...event: Event[]) => after(walletModal, input, event).slice(1)

test('4.2 starts at Select, or Connect when connecting from an existing token', () => {
  expect(after(walletModal, select)).toEqual([{ step: 'reading' }, { type: 'readAccounts' }])
  const token: Input = { section: 'Connect', chosen: { walletAddress: WALLET } }
  expect(after(walletModal, token)).toEqual([
    { step: 'readingToConnect', chosen: token.chosen },
    { type: 'readAccounts' },
  ])
  expect(after(walletModal, token, [read])[0]).toMatchObject({ step: 'Connect', choice: own })
})

test("4.2 a reload restores the modal's position", () => {
  const unproven = choice()
  const items = listed({ ...unproven, wallet: { ...unproven.wallet, verified: false } })
  const verifying: Input = { section: 'Verify', walletAddress: WALLET }
  const listedAs = (type: WalletType): Event => ({
    type: 'accountsRead',
    items: items.map((item) => ({
      ...item,
      authorizedWallets: item.authorizedWallets.map((wallet) => ({ ...wallet, type })),
    })),
    wallet: undefined,
  })
  expect(stepAfter(verifying, listedAs('SELF_CUSTODY'))).toBe('Verify')
  expect(stepAfter(verifying, listedAs('PROVENANCE'))).toBe('Provenance')
  // Already verified in another tab.
  expect(after(walletModal, verifying, [read])[0]).toEqual({
    step: 'Select',
    list: expect.objectContaining({ individual: [own] }),
  })
  expect(after(walletModal, { section: 'Verify', walletAddress: undefined })).toEqual([
    { step: 'Verify', clicked: undefined },
  ])
  expect(openingOf(after(walletModal, select, [read, chosen(own), forbidden(own)])[0])).toEqual(
    verifying,
  )
  expect(openingOf(after(walletModal, select, [read, chosen(own), selected(own)])[0])).toEqual({
    section: 'Connect',
    chosen: { walletAddress: WALLET },
  })
  expect(openingOf({ step: 'Success' })).toEqual(select)
})

test('5 without an addr claim and an intended address: jwt is missing addr claim', () => {
  expect(after(walletModal, { section: 'Select', error: 'missing-addr-claim' })[0]).toMatchObject({
    problem: {
      title: 'Choose the account to connect',
      failure: { notices: ['jwt is missing addr claim'] },
    },
  })
})

test('4.2 Select to Connect after choosing an account when a wallet connection is needed', () => {
  expect(after(walletModal, select, [read, chosen(own)]).slice(1)).toEqual([
    { type: 'selectAccount', choice: own },
  ])
  expect(after(walletModal, select, [read, chosen(own), selected(own)])).toEqual([
    { step: 'Connect', chosen: { walletAddress: WALLET }, choice: own },
  ])
})

test('4.2 otherwise the modal closes', () => {
  expect(after(walletModal, select, [read, chosen(own), selected(own, me)])).toEqual([
    { step: 'Success' },
    success,
  ])
})

test.each([
  ['FIGURE', 'Verify'],
  ['OLDNET', 'Verify'],
  ['SELF_CUSTODY', 'Verify'],
  ['PROVENANCE', 'Provenance'],
] as const satisfies readonly (readonly [WalletType, string])[])(
  '4.2 Select, on a 403 when choosing an account of a %s wallet, to %s',
  (type, step) => {
    const clicked = choice('Owner', type)
    const [state] = after(walletModal, select, [read, chosen(clicked), forbidden(clicked)])
    expect(state).toEqual({ step, clicked })
  },
)

test('4.2 Connect or Verify back to Select through the back links, which clear the clicked wallet', () => {
  const listing = [{ step: 'reading' }, { type: 'readAccounts' }]
  expect(after(walletModal, select, [read, chosen(own), selected(own), back])).toEqual(listing)
  expect(after(walletModal, select, [read, chosen(own), forbidden(own), back])).toEqual(listing)
})

test('4.2 connected but not matching the selected token address or group, it is disconnected', () => {
  const toConnect = [read, chosen(own), selected(own)]
  expect(commandsAfter(select, read, chosen(own), selected(own, stranger))).toEqual([disconnect])
  const [state, ...commands] = after(walletModal, select, [
    ...toConnect,
    { type: 'connected', wallet: stranger },
  ])
  // 2.7, 4.8: back at Select, which still shows the wanted account and the one that connected.
  expect(state).toMatchObject({
    step: 'reading',
    problem: {
      title: 'Another wallet connected',
      failure: { notices: [expect.stringMatching(/Everyday \(tp1kn.*tp1so/), expect.anything()] },
    },
  })
  expect(commands).toEqual([disconnect, { type: 'readAccounts' }])
  const other: Event = { type: 'verification', result: { kind: 'mismatch', wallet: stranger } }
  expect(after(walletModal, select, [read, chosen(own), forbidden(own), other])[0]).toMatchObject({
    step: 'reading',
    problem: {
      failure: { notices: [expect.stringContaining('Olga (tp1kn'), 'Please choose again.'] },
    },
  })
  const asGroup: Event = { type: 'connected', wallet: { ...me, group: ORGANIZATION } }
  expect(stepAfter(select, ...toConnect, asGroup)).toBe('Select')
})

test('4.2 an account selected and connected in another tab is kept', () => {
  const elsewhere: Event = {
    type: 'connected',
    wallet: stranger,
    selected: { walletAddress: stranger.address },
  }
  const [state, ...commands] = after(walletModal, select, [
    read,
    chosen(own),
    selected(own),
    elsewhere,
  ])
  expect(state).toMatchObject({
    step: 'reading',
    problem: { title: 'You chose another account in another window' },
  })
  expect(commands).toEqual([{ type: 'readAccounts' }])
})

test('4.2 if it matches, the modal closes', () => {
  const credentials = { walletAddress: WALLET }
  const connected: Event = { type: 'connected', wallet: me, selected: credentials }
  expect(commandsAfter(select, read, chosen(own), selected(own), connected)).toEqual([success])
  const token: Input = { section: 'Connect', chosen: credentials }
  const items = listed(own)
  expect(
    commandsAfter(token, { type: 'accountsRead', items, wallet: me, selected: credentials }),
  ).toEqual([success])
})

test('4.2 a connected wallet that the token does not name is selected before the modal closes', () => {
  const intended: Input = { section: 'Connect', chosen: { walletAddress: WALLET } }
  const another = { walletAddress: ORGANIZATION }
  const selecting = [
    { step: 'selecting', choice: own },
    { type: 'selectAccount', choice: own },
  ]
  for (const token of [another, undefined]) {
    const connected: Event = { type: 'connected', wallet: me, selected: token }
    expect(after(walletModal, intended, [read, connected])).toEqual(selecting)
    const items = listed(own, group, old)
    const already: Event = { type: 'accountsRead', items, wallet: me, selected: token }
    expect(after(walletModal, intended, [already])).toEqual(selecting)
    expect(commandsAfter(intended, read, connected, selected(own, me))).toEqual([success])
    expect(stepAfter(intended, read, connected, forbidden(own, me))).toBe('Verify')
  }
})

test('4.2 an unattached address in the query is verified, and never counts as success by connecting', () => {
  const unattached = 'tp1unattached'
  const intended: Input = { section: 'Connect', chosen: { walletAddress: unattached } }
  const connected: Event = { type: 'connected', wallet: { address: unattached } }
  const verify = { step: 'Verify', clicked: undefined, intended: unattached }
  const [state, ...commands] = after(walletModal, intended, [read, connected])
  expect([state, commands]).toEqual([verify, []])
  expect(openingOf(state)).toEqual({ section: 'Verify', walletAddress: unattached })
  // A reload returns to the same step.
  expect(after(walletModal, openingOf(state), [read])).toEqual([verify])
  const verified: Event = { type: 'verification', result: { kind: 'verified' } }
  expect(commandsAfter(intended, read, connected, verified)).toEqual([success])
})

test('4.2 a group in the query that is not in the account list is rejected, and its wallet disconnected', () => {
  const groupPolicyAddress = 'tp1foreign'
  const intended: Input = {
    section: 'Connect',
    chosen: { walletAddress: WALLET, groupPolicyAddress },
  }
  const connected: Event = { type: 'connected', wallet: { ...me, group: groupPolicyAddress } }
  const [state, ...commands] = after(walletModal, intended, [read, connected])
  expect(state).toMatchObject({
    step: 'reading',
    problem: { title: 'This account is not in your list' },
  })
  expect(commands).toEqual([disconnect, { type: 'readAccounts' }])
})

const isReading = (one: State | Command) => 'type' in one && one.type === 'readAccounts'

test('4.2 if no accounts exist, the user is redirected to create-wallet', () => {
  const reading = inputs.filter((input) => after(walletModal, input).some(isReading))
  expect(reading.length).toBeGreaterThan(2)
  for (const input of reading) {
    expect(commandsAfter(input, { type: 'accountsRead', items: [], wallet: undefined })).toEqual([
      { type: 'goTo', page: 'create-wallet' },
    ])
  }
})

const verifying = [read, chosen(own), forbidden(own)] as const

test('8 a list that fails to load before Connect shows an error, and a retry continues to Connect', () => {
  const token: Input = { section: 'Connect', chosen: { walletAddress: WALLET } }
  const unread: Event = { type: 'accountsNotRead', failure: UNEXPECTED }
  const [state] = after(walletModal, token, [unread])
  expect(state).toMatchObject({ step: 'unavailable', problem: { failure: UNEXPECTED } })
  expect(openingOf(state)).toEqual(token)
  expect(after(walletModal, token, [unread, { type: 'retried' }])).toEqual(
    after(walletModal, token),
  )
})

test('4.2 SUCCESS closes the modal; for an organization the account is selected again', () => {
  const verified: Event = { type: 'verification', result: { kind: 'verified' } }
  expect(commandsAfter(select, ...verifying, verified)).toEqual([success])
  for (const organization of [group, choice('RBAC'), choice('Shared')]) {
    expect(
      commandsAfter(select, read, chosen(organization), forbidden(organization), verified),
    ).toEqual([{ type: 'selectAccount', choice: organization }])
  }
})

test('4.2 ERROR goes to Verification_Error, which offers a retry', () => {
  const failed: Event = { type: 'verification', result: { kind: 'failed', failure: UNEXPECTED } }
  expect(stepAfter(select, ...verifying, failed)).toBe('Verification_Error')
  expect(after(walletModal, select, [...verifying, failed, { type: 'retried' }])).toEqual([
    { step: 'Verify', clicked: own },
  ])
})

test('8 a wallet attached to another identity: the notice, over the list', () => {
  const attached: Event = { type: 'verification', result: { kind: 'alreadyAttached' } }
  expect(after(walletModal, select, [...verifying, attached])[0]).toEqual({
    step: 'reading',
    problem: {
      title: 'Provided wallet is already attached to an identity',
      failure: { notices: ['Please select wallet from list to continue'] },
    },
  })
})

test('2.7 the footer: a new wallet is verified, an organization is created on its own page', () => {
  expect(after(walletModal, select, [read, { type: 'newWalletRequested' }])).toEqual([
    { step: 'Verify', clicked: undefined },
  ])
  expect(commandsAfter(select, read, { type: 'organizationRequested' })).toEqual([
    { type: 'goTo', page: 'select-account' },
  ])
})

test('4.2 random walk: success requires a connected or verified wallet, and the modal ends at most once', () => {
  walk(
    walletModal,
    { inputs, events },
    {
      steps: 5000,
      invariant(state, commands, before) {
        const ends = commands.filter(({ type }) => type === 'returnResult' || type === 'goTo')
        const finished = state.step === 'Success' || state.step === 'left'
        const hadEnded = before.step === 'Success' || before.step === 'left'
        expect(ends.length).toBe(finished && !hadEnded ? 1 : 0)
        if (hadEnded) expect(commands).toEqual([])
        if (state.step === 'Success' && !hadEnded) {
          expect(['Select', 'Connect', 'Verify']).toContain(statusOf(before))
          // An address that only the query names has to be selected or verified first.
          if (before.step === 'Connect' || before.step === 'readingToConnect') {
            expect(before.chosen).toEqual({ walletAddress: WALLET })
          }
        }
      },
    },
  )
})

function world(answers: Record<string, unknown>, connected?: ConnectedWallet) {
  const { client, calls } = fakeClient(answers)
  const { connection, disconnects } = fakeConnection(connected ? { connected } : {})
  const jwt = memoryJwt('Bearer old')
  const storage = memoryStorage()
  const visited: string[] = []
  const reported: unknown[] = []
  const results: Result[] = []
  let updates = 0
  const services = walletModalServices({
    client,
    connection,
    jwt,
    storage,
    location: () => new URL('https://www.lender.example/auth/wallet?redirectUrl=%2Floans'),
    navigate: (to) => visited.push(to),
    identityTokenUpdated: () => {
      updates += 1
    },
    reportError: (error) => reported.push(error),
    onResult: (result) => results.push(result),
  })
  return {
    services,
    calls,
    jwt,
    storage,
    visited,
    reported,
    results,
    disconnects,
    updates: () => updates,
  }
}

test('7.4 wallet-jwt: sends the credentials, stores and announces the token, and stores the owner', async () => {
  const { services, jwt, storage, updates } = world({ readWalletJwt: { jwt: 'new' } }, me)
  expect(
    await services.selectAccount({ type: 'selectAccount', choice: group }, neverAborted),
  ).toEqual({
    type: 'selected',
    choice: group,
    wallet: me,
  })
  expect([jwt.read(), updates(), storage.read('ownerWallet')]).toEqual(['new', 1, ORGANIZATION])
})

test.each([
  ['wallet-not-verified', 'forbidden'],
  ['wallet-type-not-supported', 'forbidden'],
  ['account-not-authorized', 'forbidden'],
] as const)('8 403 selecting an account (%s) is reported to the modal', async (code, type) => {
  const { services } = world({ readWalletJwt: refusal(code) })
  const event = await services.selectAccount({ type: 'selectAccount', choice: own }, neverAborted)
  expect(event).toMatchObject({ type, choice: own })
})

test.each([
  [
    refusal('server-fault'),
    ['Error selecting wallet', 'Something went wrong on our side. Please try again in a minute.'],
  ],
  [refusal('unauthenticated'), ['Your session has ended. Please log in again.']],
  [new ApiError('unreachable', 'Error fetching'), ['Error selecting wallet', 'Error fetching']],
  [new TypeError('a defect'), ['Error selecting wallet', 'Non-Axios Error Occurred']],
])('8 other errors of selecting an account: %s', async (error, notices) => {
  const { services, reported } = world({ readWalletJwt: error })
  const event = await services.selectAccount({ type: 'selectAccount', choice: own }, neverAborted)
  expect(event).toMatchObject({ type: 'refused', failure: { notices } })
  expect(reported).toEqual(error instanceof ApiError ? [] : [error])
})

test("8 a proxy that answers 502 with HTML does not hide 'Error selecting wallet'", async () => {
  const proxied = new ApiError('refused', 'Error fetching', {
    response: new Response('<h1>Bad Gateway</h1>', { status: 502 }),
  })
  const { services } = world({ readWalletJwt: proxied })
  const event = await services.selectAccount({ type: 'selectAccount', choice: own }, neverAborted)
  if (event === undefined || !('failure' in event)) throw new Error('The call was not refused')
  const { text } = renderStatic(<FailureAlert failure={event.failure} supportPhone="8005550142" />)
  expect(text).toBe(
    'Error selecting wallet Error fetching The server sent an unusable response. Please try again in a minute.',
  )
})

test('8 account list failure: Error Retrieving Accounts', async () => {
  const { services } = world({ readAccounts: refusal('server-fault') })
  const event = await services.readAccounts({ type: 'readAccounts' }, neverAborted)
  expect(event).toMatchObject({ type: 'accountsNotRead' })
  expect(event).toHaveProperty(
    'failure.notices.0',
    'Error Retrieving Accounts. Please try refreshing the browser or contact support for continued issues.',
  )
})

test('2.2 full-page redirects carry the current path and query, or the whole URL', () => {
  const { services, visited } = world({})
  void services.goTo({ type: 'goTo', page: 'create-wallet' }, neverAborted)
  void services.goTo({ type: 'goTo', page: 'select-account' }, neverAborted)
  void services.convert({ type: 'convert', walletAddress: WALLET }, neverAborted)
  const here = '%2Fauth%2Fwallet%3FredirectUrl%3D%252Floans'
  expect(visited).toEqual([
    `/auth/wallet/create-wallet?redirectUrl=${here}`,
    `/auth/wallet/organization/select-account?redirectUrl=${here}`,
    `https://www.lender.example/auth/wallet/provenance/${WALLET}/convert?redirectUrl=https%3A%2F%2Fwww.lender.example${here}`,
  ])
})

function shown(state: State, connected?: ConnectedWallet) {
  return renderStatic(
    <WalletModalView
      state={state}
      send={() => undefined}
      connected={connected}
      life={connected && '23 hours'}
      supportPhone="8005550142"
    >
      the connect or verify screen
    </WalletModalView>,
  )
}

test("2.7 Select: title 'Choose an Account', two sections, each item, the footer with its links", () => {
  const state: State = {
    step: 'Select',
    list: { individual: [own], organizational: [group] },
  }
  expect(TITLES[statusOf(state)]).toBe('Choose an Account')
  expect(shown(state).text).toBe(
    'Individual Accounts Everyday Verified tp1kn...tklkh Owner Organizational Accounts Birch Holdings Verified tp1zy...k2yur Signing as Olga Looking for something else? Connect a Wallet Create an Organization',
  )
})

test("2.7 no 'Verified' badge for an unverified wallet", () => {
  const unverified = { ...own, wallet: { ...own.wallet, verified: false } }
  const list = { individual: [unverified], organizational: [] }
  expect(shown({ step: 'Select', list }).text).not.toContain('Verified')
})

test('4.1 the remaining connection time is shown only on the connected account', () => {
  const list = { individual: [own], organizational: [group] }
  const { text } = shown({ step: 'Select', list }, me)
  expect(text.match(/Connected, 23 hours left/g)).toHaveLength(1)
  expect(text.indexOf('23 hours')).toBeLessThan(text.indexOf('Organizational Accounts'))
})

test('2.7 Provenance: title, notice, Continue', () => {
  const state: State = { step: 'Provenance', clicked: old }
  expect(TITLES[statusOf(state)]).toBe('Convert your Provenance Wallet')
  const { text } = shown(state)
  expect(text).toContain('Wallet type is no longer supported')
  expect(text).toContain('Continue')
})

test('2.7 Verification_Error shows the verification failure view', () => {
  const state: State = { step: 'Verification_Error', clicked: own, failure: UNEXPECTED }
  const { text } = shown(state)
  expect(text).toContain(UNEXPECTED.notices[0])
  expect(text).toContain('Try again Back to the list of accounts')
})

test('2.7 Success closes the modal', () => {
  expect(shown({ step: 'Success' }).text).toBe('')
})

test('2.7 Verify has the title Connect your Wallet', () => {
  expect(TITLES[statusOf({ step: 'Verify', clicked: own })]).toBe('Connect your Wallet')
})

test.each(
  WalletType.options.map((type) => [type, type === 'PROVENANCE' ? 'Provenance' : 'Verify']),
)('4.2 a 403 when choosing an account of a %s wallet leads to %s', (type, status) =>
  expect(forbiddenChoice(WalletType.parse(type))).toBe(status),
)
