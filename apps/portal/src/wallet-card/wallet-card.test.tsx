import { fakeClient, refusal } from '@portico/client/testing'
import { after, walk } from '@portico/flow/testing'
import { neverAborted, renderStatic } from '@portico/shell/testing'
import { describeMessage } from '@portico/wallet-connect/describe-message'
import { readAnyBase64 } from '@portico/wallet-connect/protocol'
import { expect, test } from 'vitest'
import type { Accounts } from '../accounts.ts'
import { type SentPayment, type State, walletCard } from './wallet-card.flow.ts'
import { events, inputs, known, larch, larchAccess } from './wallet-card.samples.ts'
import { type WalletCardDeps, walletCardServices } from './wallet-card.services.ts'
import { WalletCardView, type WalletCardViewProps } from './wallet-card.view.tsx'

const read = { type: 'accountsRead', accounts: known } as const
const signing = { kind: 'sign-message', text: 'I agree' } as const
const requested = { type: 'operationRequested', operation: signing } as const

test('4.1 one operation runs at a time, and its outcome is shown', () => {
  const outcome = { tone: 'ok', title: 'Signed' } as const
  expect(after(walletCard, null, [read, requested, requested])).toHaveLength(1)
  expect(
    after(walletCard, null, [read, requested, { type: 'operationEnded', outcome }])[0],
  ).toEqual({
    step: 'idle',
    accounts: known,
    outcome,
  })
})

test('4.1 a request is withdrawn once', () => {
  const withdraw = { type: 'withdrawalRequested' } as const
  expect(after(walletCard, null, [read, requested, withdraw])[1]).toEqual({ type: 'withdraw' })
  expect(after(walletCard, null, [read, requested, withdraw, withdraw])).toHaveLength(1)
})

test('4.1 a withdrawal that the wallet refuses leaves the request pending, and can be repeated', () => {
  const withdraw = { type: 'withdrawalRequested' } as const
  const refused = { type: 'withdrawalRefused', notice: 'Not now' } as const
  const previous = [read, requested, withdraw, refused] as const
  const [state, ...commands] = after(walletCard, null, previous)
  expect(state).toMatchObject({ step: 'operating', withdrawing: false, notice: 'Not now' })
  expect(commands).toEqual([])
  expect(view(state).text).toContain('Not now')
  expect(view(state).text).not.toContain('Please answer the request')
  expect(after(walletCard, null, [...previous, withdraw])[1]).toEqual({ type: 'withdraw' })
})

test.each([
  [{ valid: true }, undefined],
  [
    { valid: false, error: 'Error: The request is already being carried out' },
    'Your wallet is already carrying this out. Its result will appear here.',
  ],
  [
    { valid: false, error: 'Error: Request timed out' },
    'Your wallet did not withdraw the request. Its result will appear here.',
  ],
])('4.1 a withdrawal answered with %j', async (withdrawal, notice) => {
  const { services } = world({}, {}, ACTING, withdrawal)
  expect(await services.withdraw({ type: 'withdraw' }, neverAborted)).toEqual(
    notice === undefined ? undefined : { type: 'withdrawalRefused', notice },
  )
})

test('4.1 the connection is watched in every step', () => {
  walk(
    walletCard,
    { inputs, events },
    {
      steps: 2000,
      invariant(state, commands, before) {
        if (state.step === before.step) return
        expect(commands.map(({ type }) => type)).toContain('watchConnection')
      },
    },
  )
})

type Wallet = WalletCardDeps['wallet']

/** The token of a session that acts as Olga. */
const ACTING = tokenOf({ addr: 'tp1olga' })

function tokenOf(claims: object): string {
  return `Bearer e30.${btoa(JSON.stringify(claims))}.`
}

/** The locks of one tab. While the lock is held, a request with `ifAvailable` does not get it. */
function locksOfOneTab(): LockManager {
  let locked = false
  const request = async (
    _: string,
    options: LockOptions | LockGrantedCallback<unknown>,
    granted?: LockGrantedCallback<unknown>,
  ) => {
    if (typeof options !== 'function') return granted?.(locked ? null : LOCK)
    locked = true
    return Promise.resolve(options(LOCK)).finally(() => (locked = false))
  }
  return { request } as unknown as LockManager // Only these two overloads are used.
}

const LOCK: Lock = { name: 'lock', mode: 'exclusive' }

function world(
  result: object,
  answers: Readonly<Record<string, unknown>> = {},
  token = ACTING,
  withdrawal: object = { valid: true },
  chainNode: WalletCardDeps['chainNode'] = () => Promise.reject(new Error('Not asked')),
) {
  const kept: string[] = []
  const stored = new Map<string, string>()
  let updates = 0
  const locks = locksOfOneTab()
  const calls: { name: string; query: unknown }[] = []
  const connections: unknown[] = []
  const switched: object = {}
  const { client } = fakeClient(answers)
  const listeners = new Map<string, (data: unknown) => void>()
  const disconnects: unknown[] = []
  const sent: unknown[] = []
  const wallet = {
    addListener: (event: string, listener: (data: unknown) => void) =>
      void listeners.set(event, listener),
    removeListener: (event: string) => void listeners.delete(event),
    disconnect: async (message: string) => void disconnects.push(message),
    init: async (options: unknown) => connections.push(options),
    removePendingMethod: async () => withdrawal,
    sendMessage: async (options: unknown) => {
      sent.push(options)
      return result
    },
    signHexMessage: async (hex: string) => {
      sent.push(hex)
      return result
    },
    signJWT: async () => result,
    switchToGroup: async () => {
      Object.assign(wallet.state, switched)
      listeners.get('FWC_SESSION_UPDATED')?.({ result: {} })
      return result
    },
    state: { connected: true, address: 'tp1olga', representedGroupPolicy: null as object | null },
  } as unknown as Wallet // Only the parts of the session that the card uses.
  const services = walletCardServices({
    client: (call, input) => {
      calls.push({ name: call.name, query: input.query })
      return client(call, input)
    },
    jwt: { write: (jwt) => kept.push(jwt), read: () => kept.at(-1) ?? token },
    locks: () => locks,
    reportError: (error) => {
      throw error
    },
    storage: {
      read: (key) => stored.get(key),
      write: (key, text) => void stored.set(key, text),
      remove: (key) => void stored.delete(key),
    },
    identityTokenUpdated: () => {
      updates += 1
    },
    production: false,
    chainNode,
    wait: async () => undefined,
    wallet,
  })
  /** The wallet switches to another group on its own. */
  const update = async (group: string | null) => {
    Object.assign(wallet.state, {
      representedGroupPolicy: group === null ? null : { address: group },
    })
    listeners.get('FWC_SESSION_UPDATED')?.({ result: {} })
    await Promise.resolve()
  }
  const disconnect = (result: object) => listeners.get('FWC_DISCONNECT')?.({ result })
  return {
    services,
    kept,
    calls,
    connections,
    stored,
    disconnects,
    sent,
    switched,
    update,
    disconnect,
    locks,
    updates: () => updates,
  }
}

test.each([
  [{ valid: true, result: { signature: 'ab' } }, 'ok', 'ab'],
  [
    { valid: false, error: 'Error: Sign request rejected by user' },
    'info',
    'Sign request rejected by user',
  ],
  [{ valid: false, error: 'Error: Request timed out' }, 'danger', 'Request timed out'],
  [{ valid: false, result: { signature: 'ab' } }, 'danger', 'ab'],
] as const)('4.1 the outcome of %j', async (result, tone, detail) => {
  const { services } = world(result)
  expect(
    await services.operate({ type: 'operate', operation: signing }, neverAborted),
  ).toMatchObject({
    type: 'operationEnded',
    outcome: { tone, detail },
  })
})

test.each([
  ['I agree', '49206167726565'],
  ['Größe ✓\n', '4772c3b6c39f6520e29c930a'],
])('5 the message %j is signed as the hex of its UTF-8 bytes', async (text, hex) => {
  const { services, sent } = world({ valid: true })
  await services.operate(
    { type: 'operate', operation: { kind: 'sign-message', text } },
    neverAborted,
  )
  expect(sent).toEqual([hex])
})

const payment = {
  kind: 'send',
  recipient: 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy',
  amount: '2500000000',
  memo: 'rent',
} as const
const sending = { type: 'operate', operation: payment } as const

const HASH = 'A1'.repeat(32)
const claimed: SentPayment = {
  transaction: HASH,
  from: 'tp1olga',
  to: payment.recipient,
  amount: payment.amount,
}
const awaiting = { type: 'awaitBlock', payment: claimed } as const
const answered = (code: number, changes: object = {}) => ({
  valid: code === 0,
  result: { txResponse: { txhash: HASH, code, rawLog: '', height: '1234' } },
  ...changes,
})

/** The chain's transaction with this hash. */
const inBlock = (code: number, sent: Partial<typeof claimed> = {}) => {
  const { from, to, amount } = { ...claimed, ...sent }
  const attributes = { sender: from, recipient: to, amount: `${amount}nhash`, msg_index: '0' }
  return {
    status: 200,
    content: {
      tx_response: {
        height: '13',
        txhash: HASH,
        code,
        raw_log: code === 0 ? '' : 'out of gas',
        timestamp: '2026-11-23T02:00:00Z',
        tx: { body: {}, auth_info: { fee: { amount: [] } } },
        events: [
          {
            type: 'transfer',
            attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
          },
        ],
      },
    },
  }
}
const NOWHERE = { status: 404, content: {} }

test('7.4 a payment is one MsgSend from the connected account, with its memo', async () => {
  const { services, sent } = world(answered(0))
  expect(await services.operate(sending, neverAborted)).toEqual({
    type: 'transactionAccepted',
    payment: claimed,
  })
  const [{ message, ...options }] = sent as [{ message: string }]
  expect(options).toEqual({ memo: 'rent', customId: 'wallet-card' })
  const decoded = readAnyBase64(message)
  expect(decoded && describeMessage(decoded).messages).toMatchObject([
    {
      title: 'Send',
      fields: [
        { value: '2.5 hash' },
        { label: 'From', address: 'tp1olga' },
        { label: 'To', address: payment.recipient },
      ],
    },
  ])
})

test('7.4 what a wallet says about a payment is not believed: the chain says that it is in a block', async () => {
  const made = world(answered(0), {}, ACTING, {}, async () => NOWHERE)
  expect(await made.services.operate(sending, neverAborted)).not.toHaveProperty('outcome')
  expect(await made.services.awaitBlock(awaiting, neverAborted)).toMatchObject({
    outcome: { tone: 'warn', title: 'The transaction is not in a block yet', transaction: HASH },
  })
  for (const answer of [
    { valid: true, result: { txResponse: { txhash: 'A1B2', code: 0, height: '1234' } } },
    { valid: true, result: { txResponse: { code: 0, height: '1234' } } },
  ]) {
    expect(await world(answer).services.operate(sending, neverAborted)).toMatchObject({
      outcome: { tone: 'warn', title: 'Your wallet did not say what it sent' },
    })
  }
})

test.each([
  ['amount', { amount: '1' }],
  ['recipient', { to: 'tp1other' }],
  ['sender', { from: 'tp1other' }],
])('7.4 a transaction with another %s is not shown as the payment', async (_, sent) => {
  const { services } = world({}, {}, ACTING, {}, async () => inBlock(0, sent))
  expect(await services.awaitBlock(awaiting, neverAborted)).toMatchObject({
    outcome: { tone: 'warn', title: 'Your wallet sent something else', transaction: HASH },
  })
})

test('5 a payment that the wallet reports as failed is looked up, and otherwise its reason is in plain words', async () => {
  const failed = answered(5, { error: 'insufficient funds' })
  const nowhere = world(failed, {}, ACTING, {}, async () => NOWHERE)
  expect(await nowhere.services.operate(sending, neverAborted)).toMatchObject({
    outcome: {
      tone: 'danger',
      detail: 'The account does not have enough funds for the amount and the fee.',
      transaction: HASH,
    },
  })
  const sentAnyway = world(failed, {}, ACTING, {}, async () => inBlock(0))
  expect(await sentAnyway.services.operate(sending, neverAborted)).toMatchObject({
    outcome: { tone: 'ok', title: 'Sent 2.5 hash', detail: 'It is in block 13.' },
  })
})

test('8 the text of a wallet’s error is cut and quoted', async () => {
  const { services } = world({ valid: false, error: `Error: Call us\n${'x'.repeat(5000)}` })
  const event = await services.operate(sending, neverAborted)
  const detail = event !== undefined && 'outcome' in event ? event.outcome?.detail : undefined
  expect(detail).toMatch(/^Your wallet says: ‘Call us x{112}…’$/)
})

test.each([
  [0, { tone: 'ok', title: 'Sent 2.5 hash', detail: 'It is in block 13.', transaction: HASH }],
  [11, { tone: 'danger', detail: expect.stringMatching(/fee is too low/), transaction: HASH }],
])(
  '7.4 a payment that is not in a block yet is looked up until it is: code %i',
  async (code, outcome) => {
    const answers = [NOWHERE, new Error('unreachable'), inBlock(code)]
    const { services } = world(answered(0), {}, ACTING, {}, async () => {
      const answer = answers.shift()
      if (answer === undefined || answer instanceof Error) throw new Error('unreachable')
      return answer
    })
    expect(await services.awaitBlock(awaiting, neverAborted)).toMatchObject({ outcome })
  },
)

test('leaving the page stops polling for the transaction', async () => {
  let questions = 0
  const { services } = world({}, {}, ACTING, {}, async () => {
    questions += 1
    return { status: 404, content: {} }
  })
  expect(await services.awaitBlock(awaiting, AbortSignal.abort())).toBeUndefined()
  expect(questions).toBe(0)
})

const switching = { kind: 'switch-group', group: 'tp1larch' } as const

test('4.1 after a switch to a group completes, the identity token is refreshed', async () => {
  const fresh = tokenOf({ addr: 'tp1olga', grp: 'tp1larch' })
  const answers = { readWalletJwt: { jwt: fresh }, readAccountAccess: larchAccess }
  const { services, kept, calls, stored, updates } = world({ valid: true }, answers)
  const ended = await services.operate({ type: 'operate', operation: switching }, neverAborted)
  expect(ended).toMatchObject({ acting: larchAccess, outcome: { title: 'You act for a group' } })
  // For the requested group: some wallets send the session update only after their response.
  expect(calls).toMatchObject([
    {
      name: 'readWalletJwt',
      query: { walletAddress: 'tp1olga', groupPolicyAddress: 'tp1larch' },
    },
    { name: 'readAccountAccess', query: { principal: 'tp1larch' } },
  ])
  // 7.4: the token is stored, the page's scripts are notified, and the tab stores the account it acts as.
  expect([kept, updates(), stored.get('ownerWallet')]).toEqual([[fresh], 1, 'tp1larch'])
})

test.each([
  [{ addr: 'tp1olga' }, { individualAddress: 'tp1olga', prohibitGroups: true }],
  [
    { addr: 'tp1olga', grp: 'tp1larch' },
    { individualAddress: 'tp1olga', groupAddress: 'tp1larch' },
  ],
  [{}, {}],
])('4.2 the dashboard connects the selected account and no other: %j', async (claims, required) => {
  const { services, connections } = world({}, {}, tokenOf(claims))
  await services.operate({ type: 'operate', operation: { kind: 'connect' } }, neverAborted)
  // 3: outside production the hosted wallet has the suffix _test.
  expect(connections).toEqual([{ walletAppId: 'figure_hosted_test', ...required }])
})

test('4.2 a wallet that switches to another account on its own is disconnected', async () => {
  const { services, update, disconnects } = world({}, {}, tokenOf({ addr: 'tp1olga' }))
  await services.watchConnection({ type: 'watchConnection' }, neverAborted)
  await update(null)
  expect(disconnects).toEqual([])
  await update('tp1larch')
  expect(disconnects).toEqual([expect.stringContaining('another account')])
  const withoutSelection = world({}, {}, '')
  await withoutSelection.services.watchConnection({ type: 'watchConnection' }, neverAborted)
  await withoutSelection.update('tp1larch')
  expect(withoutSelection.disconnects).toEqual([])
})

test('4.2 a switch requested by another tab is ignored until that tab has updated the session', async () => {
  const { services, update, disconnects, locks } = world({}, {}, tokenOf({ addr: 'tp1olga' }))
  await services.watchConnection({ type: 'watchConnection' }, neverAborted)
  await locks.request('', async () => update('tp1larch'))
  expect(disconnects).toEqual([])
})

test.each([
  ['to the requested group', 'tp1larch', tokenOf({ addr: 'tp1olga', grp: 'tp1larch' }), 0],
  ['to another group', 'tp1other', tokenOf({ addr: 'tp1olga', grp: 'tp1larch' }), 1],
  ['but the session could not switch', 'tp1larch', undefined, 1],
])(
  '4.2 a wallet that switches %s matches the session or is disconnected',
  async (_, group, jwt, times) => {
    const answers = {
      readWalletJwt: jwt === undefined ? refusal('wallet-not-verified') : { jwt },
      readAccountAccess: larchAccess,
    }
    const { services, switched, disconnects } = world({ valid: true }, answers)
    await services.watchConnection({ type: 'watchConnection' }, neverAborted)
    Object.assign(switched, { representedGroupPolicy: { address: group } })
    await services.operate({ type: 'operate', operation: switching }, neverAborted)
    expect(disconnects).toHaveLength(times)
  },
)

test('4.2 at the start a connected wallet that is not the selected account is disconnected', async () => {
  const answers = { readAccounts: [larch], readAccountAccess: larchAccess }
  const { services, disconnects } = world({}, answers, tokenOf({ addr: 'tp1savings' }))
  await services.readAccounts({ type: 'readAccounts' }, neverAborted)
  await Promise.resolve()
  expect(disconnects).toHaveLength(1)
})

test.each([
  [{ message: 'Connection Expired' }, 'warn', 'Connection Expired'],
  [{ message: 'Session disconnected' }, 'info', 'No wallet is connected'],
  [{ message: 'You disconnected it.' }, 'info', 'No wallet is connected'],
  [{ message: 'Connection rejected by user' }, 'info', 'You declined the connection'],
  [{ message: 'x', mismatch: { address: 'tp1other' } }, 'warn', 'Another account connected'],
])('4.1 %j is never shown as a success', async (result, tone, title) => {
  const { services, disconnect } = world({})
  const stream = services.watchConnection({ type: 'watchConnection' }, neverAborted)
  disconnect(result)
  const { value } = await (stream as AsyncGenerator).next()
  expect(value).toMatchObject({ type: 'disconnected', outcome: { tone, title } })
})

test('7.4 the account of the session is read by ownerWallet, and only if the session acts as an account', async () => {
  const answers = { readAccounts: [larch], readAccountAccess: larchAccess }
  const reading = { type: 'readAccounts' } as const
  const acting = world({}, answers)
  acting.stored.set('ownerWallet', 'tp1larch')
  expect(await acting.services.readAccounts(reading, neverAborted)).toMatchObject({
    accounts: { items: [larch], acting: larchAccess },
  })
  const query = { principal: 'tp1larch' }
  expect(acting.calls).toContainEqual({ name: 'readAccountAccess', query })
  const elsewhere = world({}, answers)
  await elsewhere.services.readAccounts(reading, neverAborted)
  expect(elsewhere.calls).toContainEqual({ name: 'readAccountAccess', query: {} })
  const withoutAddress = world({}, answers, '')
  expect(await withoutAddress.services.readAccounts(reading, neverAborted)).toMatchObject({
    accounts: { acting: undefined },
  })
  expect(withoutAddress.calls).toHaveLength(1)
})

test('7.4 a previous user’s selection is not shown', async () => {
  const answers = { readAccounts: [larch], readAccountAccess: refusal('account-not-authorized') }
  const { services } = world({}, answers)
  expect(await services.readAccounts({ type: 'readAccounts' }, neverAborted)).toMatchObject({
    accounts: { items: [larch], acting: undefined },
  })
})

test("8 a token rejected after a switch shows the server's message", async () => {
  const answers = { readWalletJwt: refusal('wallet-not-verified') }
  const { services } = world({ valid: true }, answers)
  expect(
    await services.operate({ type: 'operate', operation: switching }, neverAborted),
  ).toMatchObject({
    outcome: { tone: 'danger', detail: 'Wallet Verification Required' },
  })
})

test('8 accounts that could not be loaded show an error', async () => {
  const { services } = world({}, { readAccounts: refusal('session-ended') })
  expect(await services.readAccounts({ type: 'readAccounts' }, neverAborted)).toMatchObject({
    outcome: { title: expect.stringContaining('Error Retrieving Accounts.') },
  })
})

const connected: WalletCardViewProps['wallet'] = {
  address: 'tp1olga',
  representedGroupPolicy: null,
  status: 'connected',
  walletInfo: { name: 'Olga' },
}

const view = (state: State, wallet: Partial<WalletCardViewProps['wallet']> = {}) =>
  renderStatic(
    <WalletCardView
      state={state}
      send={() => undefined}
      wallet={{ ...connected, ...wallet }}
      life="23 hours"
      payments={null}
    />,
  )
const idle: State = { step: 'idle', accounts: known }

test('2.7 the card shows the connected wallet, the remaining time and the organizations it can act for', () => {
  expect(view(idle).text).not.toContain('You act as')
  const { text } = view({ ...idle, accounts: { ...known, acting: larchAccess } })
  expect(text).toContain('You act as Larch Partners Signing as Olga')
  expect(text).toContain('Olga tp1olga Connected for 23 hours more')
  expect(text).toContain('Act for Larch Partners')
  expect(text).not.toContain('Act as yourself')
})

test('6 a user acting for a group can act as themselves again', () => {
  const { text } = view(idle, { representedGroupPolicy: { address: 'tp1larch' } })
  expect(text).toContain('Acting for Larch Partners')
  expect(text).toContain('Act as yourself')
  expect(text).not.toContain('Act for Larch Partners')
})

test('4.1 while the wallet waits for a signature, the request can be withdrawn', () => {
  const state: State = {
    step: 'operating',
    accounts: known,
    operation: signing,
    withdrawing: false,
  }
  expect(view(state).text).toContain('Withdraw the request')
  expect(view({ ...state, operation: switching }).text).not.toContain('Withdraw the request')
})

test('2.7 the wallet of an account that is not hosted is connected on the wallet page', () => {
  const acting = {
    ...larchAccess,
    authorizedWallet: { ...larchAccess.authorizedWallet, type: 'SELF_CUSTODY' as const },
  }
  const state: State = { ...idle, accounts: { ...known, acting } }
  const { html, text } = view(state, { status: 'disconnected' })
  expect(text).toContain('Connect Olga')
  expect(text).not.toContain('Connect your Figure Account')
  expect(html).toContain(
    'href="/auth/wallet?section=Connect&amp;redirectUrl=%2Fdashboard%2Fwallet"',
  )
})

test('2.7 users with only wallets of their own are not offered a hosted one', () => {
  const [signer] = larch.authorizedWallets
  const item = { ...larch, authorizedWallets: [{ ...signer, type: 'SELF_CUSTODY' as const }] }
  const accounts = { items: [item], acting: undefined } as Accounts
  const { html, text } = view({ ...idle, accounts }, { status: 'disconnected' })
  expect(text).toContain('Connect your wallet')
  expect(text).not.toContain('Connect your Figure Account')
  expect(html).toContain('href="/auth/wallet?redirectUrl=%2Fdashboard%2Fwallet"')
  const both = { items: [item, larch], acting: undefined } as Accounts
  expect(view({ ...idle, accounts: both }, { status: 'disconnected' }).text).toContain(
    'Connect your Figure Account',
  )
})

test('2.8 without a connection the card offers to connect, and shows that it is waiting', () => {
  expect(view(idle, { status: 'disconnected' }).text).toContain('Connect your Figure Account')
  expect(view(idle, { status: 'pending' }).text).toContain('Waiting for your wallet… Cancel')
})
