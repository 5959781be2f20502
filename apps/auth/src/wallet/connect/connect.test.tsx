import { after, chance, walk } from '@portico/flow/testing'
import { lasting } from '@portico/shell/testing'
import { WINDOW_MESSAGES } from '@portico/wallet-connect/session'
import { expect, test } from 'vitest'
import { seen } from '../../testing.tsx'
import { fakeConnection } from '../connection/testing.ts'
import { connect, type Event, type Input, type Progress, type State } from './connect.flow.ts'
import { code, events, inputs } from './connect.samples.ts'
import { connectServices } from './connect.services.ts'
import { ConnectView } from './connect.view.tsx'
import { copyToast } from './use-copy.ts'

const mobile: Input = { wanted: { walletAddress: 'tp1me' }, way: 'mobile' }
const prepared: Event = { type: 'prepared', way: 'mobile', code }

test('4.8 a connection is watched and opened at once, for the wallet that is wanted', () => {
  expect(after(connect, mobile)).toEqual([
    { step: 'connecting', ...mobile, progress: { is: 'preparing' } },
    { type: 'watch' },
    { type: 'open', ...mobile },
  ])
})

test('4.8 another way opens anew, and the answer of the way that was left changes nothing', () => {
  const [state, ...commands] = after(connect, mobile, [{ type: 'wayChosen', way: 'extension' }])
  expect(commands).toEqual([{ type: 'open', wanted: mobile.wanted, way: 'extension' }])
  expect(after(connect, mobile, [{ type: 'wayChosen', way: 'extension' }, prepared])[0]).toEqual(
    state,
  )
})

test('4.8 once connected it hands back who', () => {
  const wallet = { address: 'tp1me' }
  expect(after(connect, mobile, [prepared, { type: 'connected', wallet }])).toEqual([
    { step: 'connected', wallet },
    { type: 'handBack', wallet },
  ])
})

test('4.8 a walk hands back once', () => {
  walk(
    connect,
    { inputs, events },
    {
      steps: 2000,
      chance: chance(),
      invariant(state, commands, before) {
        const handsBack = commands.some(({ type }) => type === 'handBack')
        expect(handsBack).toBe(state.step === 'connected' && before.step === 'connecting')
      },
    },
  )
})

function world(initial?: Parameters<typeof fakeConnection>[0]) {
  const fake = fakeConnection(initial)
  let closed = 0
  const services = connectServices({
    connection: fake.connection,
    production: false,
    closePanel: () => {
      closed += 1
    },
    onConnected: () => undefined,
  })
  return { ...fake, services, closed: () => closed }
}

test.each([
  [{ walletAddress: 'tp1me' }, { individualAddress: 'tp1me', prohibitGroups: true }],
  [
    { walletAddress: 'tp1me', groupPolicyAddress: 'tp1group' },
    { individualAddress: 'tp1me', groupAddress: 'tp1group' },
  ],
  [undefined, {}],
] as const)(
  '4.1 a connection is started for 86400 s with its required addresses: %j',
  async (wanted, options) => {
    const { services, inits } = world()
    const answer = await services.open({ type: 'open', way: 'mobile', wanted }, lasting)
    expect(inits).toEqual([
      {
        walletAppId: 'figure_mobile_test',
        duration: 86_400,
        iframeParentId: 'wallet-panel',
        ...options,
      },
    ])
    expect(answer).toMatchObject({
      type: 'prepared',
      way: 'mobile',
      code: { link: 'https://link' },
    })
  },
)

test('2.8 where the extension is missing, nothing is opened and its store is named', async () => {
  const { services, inits } = world()
  const command = { type: 'open', way: 'extension', wanted: undefined } as const
  expect(await services.open(command, lasting)).toEqual({
    type: 'extensionMissing',
    store: 'https://store.example',
  })
  expect(inits).toEqual([])
})

test('4.1 an attempt that was not ready in time says so, and nothing of its insides', async () => {
  const { services } = world({ initFails: 'The connection was not ready within 3 seconds' })
  const command = { type: 'open', way: 'mobile', wanted: undefined } as const
  expect(await services.open(command, lasting)).toEqual({
    type: 'ended',
    message:
      'We could not prepare the connection. Check your connection to the internet, then try again.',
  })
})

test('4.1 it hears of a connection in another tab, and of an end; leaving gives the attempt up', async () => {
  const { services, connect: connectNow, emit, connection, disconnects, closed } = world()
  const left = new AbortController()
  const changes = (await services.watch({ type: 'watch' }, left.signal)) as AsyncGenerator<Event>
  const first = changes.next()
  emit(WINDOW_MESSAGES.DISCONNECT, { result: { message: 'Connection rejected by user' } })
  expect((await first).value).toEqual({ type: 'ended', message: 'Connection rejected by user' })
  const second = changes.next()
  connectNow({ address: 'tp1me', group: 'tp1group' })
  expect((await second).value).toEqual({
    type: 'connected',
    wallet: { address: 'tp1me', group: 'tp1group' },
  })
  Object.assign(connection.state, { status: 'pending' })
  left.abort()
  expect([disconnects(), closed()]).toEqual([1, 1])
})

function view(progress: Progress, { hosted = false, isMobile = false } = {}) {
  const state: Extract<State, { step: 'connecting' }> = {
    step: 'connecting',
    wanted: { walletAddress: 'tp1me' },
    way: hosted ? 'hosted' : 'mobile',
    progress: progress.is === 'waiting' ? { is: 'waiting', code: { ...code, isMobile } } : progress,
  }
  const account = { name: 'Everyday', address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh' }
  const nothing = () => undefined
  return seen(
    <ConnectView
      state={state}
      send={nothing}
      account={account}
      hosted={hosted}
      onCopy={nothing}
      onBack={nothing}
    />,
  )
}

test('2.7 Connect: a QR code (182 px), a copy-link button, three steps, two alternatives', () => {
  const { html, text } = view({ is: 'waiting', code })
  expect(html).toContain('width="182" height="182"')
  expect(text).toBe(
    'Copy link to QR Scan the QR code with your mobile wallet. Approve the notification on your phone. Return to this page. or Chrome Extension Wallet Select A Different Wallet',
  )
})

test('2.7 for FIGURE or OLDNET: name and address, the note, and the button', () => {
  expect(view({ is: 'waiting', code }, { hosted: true }).text).toBe(
    'Everyday tp1kn...tklkh Awaiting signature in Figure Wallet Use your Figure Account Select A Different Wallet',
  )
})

test('protocol 14: on a phone the wallet opens by a link', () => {
  expect(view({ is: 'waiting', code }, { isMobile: true }).html).toContain(`href="${code.tapLink}"`)
  expect(view({ is: 'waiting', code }).html).not.toContain(code.tapLink)
})

test('8 an attempt that came to nothing says why, and how to go on', () => {
  const { text } = view({ is: 'failed', message: 'Connection rejected by user' })
  expect(text).toContain('The wallet did not connect Connection rejected by user Try again')
})

test("2.7 9 the toast 'Copied!' stays for 6000 ms; a browser that forbids copying is said so", () => {
  expect(copyToast(true)).toEqual({ text: 'Copied!', tone: 'ok', timeoutMs: 6000 })
  expect(copyToast(false).text).toContain('did not allow copying')
})
