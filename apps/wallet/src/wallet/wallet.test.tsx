import { fakeClient, refusal } from '@portico/client/testing'
import { transition } from '@portico/flow'
import { after, moves } from '@portico/flow/testing'
import { memoryStorage, neverAborted, pageData, renderStatic } from '@portico/shell/testing'
import { DECISION_TONES, decisionTitle } from '@portico/wallet-kit/outcome-text'
import { expect, test } from 'vitest'
import type { Arrival } from '../arrival.ts'
import type { Connection } from '../connection-state.ts'
import { EnvironmentProvider } from '../environment-provider.tsx'
import { hostedKeyKeeper } from '../hosted-key-keeper.ts'
import type { ParentPage } from '../parent-page.ts'
import { serverEnvironment } from '../server-environment.ts'
import { ENDINGS } from './end-text.ts'
import { type Event, type State, wallet } from './wallet.flow.ts'
import { account, events, inputs, prompt } from './wallet.samples.ts'
import { walletServices } from './wallet.services.ts'
import { WalletView } from './wallet.view.tsx'

const signedIn = { signedIn: true }
const read = { type: 'accountsRead', accounts: [account] } as const
const changedTo = (connection: Extract<Event, { type: 'connectionChanged' }>['connection']) =>
  ({ type: 'connectionChanged', connection }) as const

test('2.8 a signed-out user can log in in another window, and the wallet continues here', () => {
  expect(after(wallet, { signedIn: false }, [])[0].step).toBe('signedOut')
  expect(after(wallet, { signedIn: false }, [{ type: 'signedIn' }])).toContainEqual({
    type: 'readAccounts',
  })
})

test("4.8 without an account one is created first, and only then the page's request is handled", () => {
  const none = { type: 'accountsRead', accounts: [] } as const
  const [state, ...commands] = after(wallet, signedIn, [none])
  expect(state.step).toBe('empty')
  expect(commands).not.toContainEqual({ type: 'serve', accounts: [] })
  expect(after(wallet, signedIn, [none, { type: 'accountsChanged' }, read])).toContainEqual({
    type: 'serve',
    accounts: [account],
  })
})

test('protocol 13: the frame closes when the user has decided, unless the page sends another request', () => {
  const decided = changedTo({
    step: 'connected',
    until: 0,
    decided: { kind: 'sign', how: 'agreed' },
    awaited: 0,
  })
  expect(after(wallet, signedIn, [read, decided])[1]).toEqual({ type: 'delayClose' })
  expect(after(wallet, signedIn, [read, decided, { type: 'closeDelayPassed' }])[1]).toEqual({
    type: 'close',
  })
  const again = changedTo({ step: 'asking', prompt })
  expect(
    after(wallet, signedIn, [read, decided, again, { type: 'closeDelayPassed' }])[0].step,
  ).toBe('open')
})

test('2.8 while the page waits for the votes of others, the frame is minimized and stays', () => {
  const waiting = changedTo({
    step: 'connected',
    until: 0,
    decided: { kind: 'send', how: 'proposed' },
    awaited: 1,
  })
  expect(after(wallet, signedIn, [read, waiting])[1]).toEqual({ type: 'delayClose' })
  const [minimized, command] = after(wallet, signedIn, [
    read,
    waiting,
    { type: 'closeDelayPassed' },
  ])
  expect(minimized.step).toBe('open')
  expect(command).toEqual({ type: 'minimizeFrame' })
  // Locking it hides everything, and the votes are still followed.
  const lockedEvents = [read, waiting, { type: 'locked' }] as const
  expect(after(wallet, signedIn, lockedEvents)[0]).toMatchObject({ step: 'open', isLocked: true })
  expect(after(wallet, signedIn, [...lockedEvents, { type: 'unlocked' }])).toContainEqual({
    type: 'readAccounts',
  })
  const decided = changedTo({ ...waiting.connection, awaited: 0 } as typeof waiting.connection)
  expect(after(wallet, signedIn, [read, waiting, decided])[1]).toEqual({ type: 'delayClose' })
})

test('protocol 13: the older of two frames closes, whatever it shows', () => {
  for (const { to, from, commands } of moves(wallet, { inputs, events })) {
    if (to !== from && to !== 'leaving') expect(commands, to).toContain('watchFrames')
  }
})

test('2.8 a minimized frame is restored when a request arrives', () => {
  expect(after(wallet, signedIn, [read, changedTo({ step: 'asking', prompt })])).toContainEqual({
    type: 'restoreFrame',
  })
})

test('events are ignored once the wallet is closing', () => {
  const left: State = { step: 'leaving' }
  for (const event of events) expect(transition(wallet, left, event)).toEqual([left])
})

function world(
  arrival: Arrival,
  answers: Readonly<Record<string, unknown>> = {},
  watch: (listener: (stored: boolean) => void) => () => void = () => () => undefined,
) {
  const done: string[] = []
  const note = (what: string) => () => void done.push(what)
  const storage = memoryStorage({ 'portico-hosted-wallet': 'kept' })
  const connection: Connection = {
    state: () => ({ step: 'none' }),
    subscribe: () => () => undefined,
    commit: async () => true,
    release: note('release'),
    prompt: () => undefined,
    answer: note('answer'),
    end: async () => note('end')(),
    leave: async () => note('leave')(),
  }
  const { services } = walletServices({
    arrival,
    storage,
    origin: 'https://lender.example',
    keyKeeper: hostedKeyKeeper({ client: fakeClient(answers).client }),
    idle: async () => undefined,
    jwt: { watch },
    parent: {
      origin: 'https://lender.example',
      close: note('window_close'),
      minimize: note('minimize'),
      restore: note('restore'),
      open: (path) => note(`open ${path}`)(),
    },
    newerFrames: async function* () {},
    proposalOutcome: async () => undefined,
    goTo: note('goTo'),
    wait: async () => undefined,
    reportError(error) {
      throw error
    },
    openConnection: async () => connection,
  })
  return { services, done, storage }
}

test('protocol 13: pending responses are sent before the frame closes', async () => {
  const { services, done } = world({ kind: 'visit' })
  await services.serve({ type: 'serve', accounts: [account] }, neverAborted)
  await services.close({ type: 'close' }, neverAborted)
  expect(done).toEqual(['leave', 'window_close'])
})

test('2.8 a locked wallet closes its connection without ending it', async () => {
  const { services, done } = world({ kind: 'visit' })
  const step = new AbortController()
  const result = await services.serve({ type: 'serve', accounts: [account] }, step.signal)
  const states = result as AsyncGenerator<Event>
  expect((await states.next()).value).toEqual(changedTo({ step: 'none' }))
  step.abort()
  expect((await states.next()).done).toBe(true)
  expect(done).toEqual(['leave'])
})

test('2.8 a connection that could not be opened shows an error', () => {
  const failure = { notices: ['No'] }
  expect(after(wallet, signedIn, [read, { type: 'refused', failure }])[0]).toEqual({
    step: 'stopped',
    failure,
  })
})

test('protocol 13: after the page has ended its connection the wallet removes it and closes', async () => {
  const { services, storage } = world({ kind: 'disconnect' })
  expect(await services.readAccounts({ type: 'readAccounts' }, neverAborted)).toEqual({
    type: 'closed',
  })
  expect(storage.read('portico-hosted-wallet')).toBeUndefined()
})

test('4.4 a logout in another tab removes the connection of the user who left', async () => {
  let notify = (_stored: boolean) => {}
  const { services, storage } = world({ kind: 'visit' }, {}, (listener) => {
    notify = listener
    return () => undefined
  })
  const result = await services.watchSignOut({ type: 'watchSignOut' }, neverAborted)
  const events = (result as AsyncGenerator<Event>).next()
  expect(storage.read('portico-hosted-wallet')).toBe('kept')
  notify(false)
  expect((await events).value).toEqual({ type: 'signedOut' })
  expect(storage.read('portico-hosted-wallet')).toBeUndefined()
})

test('7.4 the login opens in a separate window and returns to the wallet', () => {
  const { services, done } = world({ kind: 'visit' })
  void services.logIn({ type: 'logIn' }, neverAborted)
  expect(done).toEqual(['open /auth/login?redirectUrl=%2Ffigure-wallet'])
})

test.each([
  ['session-ended', 'signedOut'],
  ['too-many-accounts', 'refused'],
] as const)('8 accounts refused as %s: %s', async (code, type) => {
  const { services } = world({ kind: 'visit' }, { readHostedAccounts: refusal(code) })
  expect(await services.readAccounts({ type: 'readAccounts' }, neverAborted)).toMatchObject({
    type,
  })
})

test('2.8 a locked wallet shows and serves nothing until the user has confirmed their identity', async () => {
  const { services } = world({ kind: 'visit' }, { readHostedAccounts: refusal('wallet-locked') })
  expect(await services.readAccounts({ type: 'readAccounts' }, neverAborted)).toEqual({
    type: 'locked',
  })
  expect(after(wallet, signedIn, [{ type: 'locked' }, { type: 'unlocked' }])).toContainEqual({
    type: 'readAccounts',
  })
  // Leaving the step closes the connection.
  expect(after(wallet, signedIn, [read, { type: 'locked' }])[0]).toEqual({ step: 'locked' })
})

test('2.8 an idle wallet is locked on the server, and cleared even if the server is unreachable', async () => {
  const { client, calls } = fakeClient()
  await hostedKeyKeeper({ client }).lock()
  expect(calls.map(({ name }) => name)).toEqual(['lockHostedWallet'])
  const { services } = world({ kind: 'visit' }, { lockHostedWallet: new Error('unreachable') })
  expect(await services.watchIdle({ type: 'watchIdle' }, neverAborted)).toEqual({ type: 'locked' })
})

const view = (state: State, arrival: Arrival = { kind: 'visit' }, parent?: ParentPage) =>
  renderStatic(
    <EnvironmentProvider environment={serverEnvironment}>
      <WalletView
        state={state}
        send={() => undefined}
        currentRequest={{ commit: async () => true, release: () => undefined }}
        page={pageData()}
        arrival={arrival}
        parent={parent}
      />
    </EnvironmentProvider>,
  ).text

test('2.8 the wallet shows that the user is signed out', () => {
  expect(view({ step: 'signedOut' })).toContain('You are not logged in, so the wallet is locked.')
})

test('protocol 13: an unsolicited link shows a warning and the accounts only', () => {
  const state: State = { step: 'open', accounts: [account], connection: { step: 'none' } }
  const text = view(state, { kind: 'unsolicited' })
  expect(text).toContain('This link was not followed')
  expect(text).toContain('Everyday')
})

test.each([
  ['agreed', 'Sent to the network', 'ok'],
  ['failed', 'The network did not accept it', 'danger'],
  ['unknown', 'Was it sent?', 'warn'],
  ['refused', 'Rejected', 'neutral'],
  ['withdrawn', 'Nothing was signed', 'neutral'],
] as const)(
  '8 a transaction with the outcome %s is shown as %s, with the matching tone',
  (how, title, tone) => {
    const decided = { kind: 'send', how } as const
    expect(decisionTitle(decided)).toBe(title)
    expect(DECISION_TONES[how]).toBe(tone)
  },
)

test('4.1 an expired connection is a warning; an ended or declined one is neutral', () => {
  const tones = Object.entries(ENDINGS).map(([how, { tone }]) => [how, tone])
  expect(Object.fromEntries(tones)).toMatchObject({
    expired: 'warn',
    'ended-by-page': 'neutral',
    'ended-by-wallet': 'neutral',
    rejected: 'neutral',
    failed: 'danger',
  })
})

test('2.8 a frame that waits for votes says so and can be minimized; afterwards it says that the group has decided', () => {
  const noop = () => undefined
  const parent: ParentPage = {
    origin: undefined,
    close: noop,
    minimize: noop,
    restore: noop,
    open: noop,
  }
  const shown = (awaited: number, isLocked = false) =>
    view(
      {
        step: 'open',
        accounts: [account],
        connection: {
          step: 'connected',
          until: 0,
          decided: { kind: 'send', how: 'proposed' },
          awaited,
        },
        isLocked,
      },
      { kind: 'visit' },
      parent,
    )
  expect(shown(1)).toContain('The page receives the result')
  expect(shown(0)).toContain('The group has decided')
  expect(shown(1, true)).toContain('Your wallet is locked')
  expect(shown(1, true)).not.toContain('Everyday')
})

test('2.8 the accounts page leads to the groups', () => {
  const state: State = { step: 'open', accounts: [account], connection: { step: 'none' } }
  expect(view(state)).toContain('What your groups decide, and their members')
})
