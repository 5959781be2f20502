import { DEFAULT_WALLET_BRAND } from '@portico/contracts/organization'
import { after, walk } from '@portico/flow/testing'
import type { WalletDiscovery } from '@portico/rules/wallet-discovery'
import { memoryStorage, neverAborted } from '@portico/shell/testing'
import { WalletBrandContext } from '@portico/shell/wallet-brand'
import { WINDOW_MESSAGES } from '@portico/wallet-connect/session'
import { expect, test, vi } from 'vitest'
import { renderStatic } from '../../testing.tsx'
import { fakeConnection } from '../connection/testing.ts'
import { connect, type Event, type Input, type Progress, type State } from './connect.flow.ts'
import { code, events, inputs } from './connect.samples.ts'
import { connectServices } from './connect.services.ts'
import { ConnectView } from './connect.view.tsx'
import { GetExtension } from './extension-modal.tsx'
import { copyToast } from './use-copy.ts'

const mobile: Input = { wanted: { walletAddress: 'tp1me' }, walletKind: 'mobile' }
const prepared: Event = { type: 'prepared', walletKind: 'mobile', code }

test('4.8 a connection for the wanted wallet is watched and opened immediately', () => {
  expect(after(connect, mobile)).toEqual([
    { step: 'connecting', ...mobile, progress: { is: 'preparing' } },
    { type: 'watch' },
    { type: 'open', ...mobile },
  ])
})

test('4.8 selecting another method opens a new connection, and a late result of the previous method is ignored', () => {
  const [state, ...commands] = after(connect, mobile, [
    { type: 'walletKindChosen', walletKind: 'extension' },
  ])
  expect(commands).toEqual([{ type: 'open', wanted: mobile.wanted, walletKind: 'extension' }])
  expect(
    after(connect, mobile, [{ type: 'walletKindChosen', walletKind: 'extension' }, prepared])[0],
  ).toEqual(state)
})

test('4.8 once connected it returns the wallet', () => {
  const wallet = { address: 'tp1me' }
  expect(after(connect, mobile, [prepared, { type: 'connected', wallet }])).toEqual([
    { step: 'connected', wallet },
    { type: 'returnResult', wallet, walletKind: 'mobile' },
  ])
})

test('4.8 random walk: the result is returned once', () => {
  walk(
    connect,
    { inputs, events },
    {
      steps: 2000,
      invariant(state, commands, before) {
        const isReturned = commands.some(({ type }) => type === 'returnResult')
        expect(isReturned).toBe(state.step === 'connected' && before.step === 'connecting')
      },
    },
  )
})

function world(initial?: Parameters<typeof fakeConnection>[0]) {
  const fake = fakeConnection(initial)
  const deviceStorage = memoryStorage()
  let closed = 0
  const services = connectServices({
    connection: fake.connection,
    production: false,
    codeSize: 182,
    closePanel: () => {
      closed += 1
    },
    deviceStorage,
    onConnected: () => undefined,
  })
  return { ...fake, services, deviceStorage, closed: () => closed }
}

test.each([
  [{ walletAddress: 'tp1me' }, { individualAddress: 'tp1me', prohibitGroups: true }],
  [
    { walletAddress: 'tp1me', groupPolicyAddress: 'tp1group' },
    { individualAddress: 'tp1me', groupAddress: 'tp1group' },
  ],
  [undefined, {}],
] as const)(
  '4.1 a connection lasts 86400 s and has its required addresses: %j',
  async (wanted, options) => {
    const { services, inits } = world()
    const answer = await services.open({ type: 'open', walletKind: 'mobile', wanted }, neverAborted)
    expect(inits).toEqual([
      {
        walletAppId: 'figure_mobile_test',
        duration: 86_400,
        iframeParentId: 'wallet-panel',
        qrOptions: { pixels: 182 },
        ...options,
      },
    ])
    expect(answer).toMatchObject({
      type: 'prepared',
      walletKind: 'mobile',
      code: { link: 'https://link' },
    })
  },
)

test('2.8 without the extension, nothing is opened', async () => {
  const { services, inits } = world()
  const command = { type: 'open', walletKind: 'extension', wanted: undefined } as const
  expect(await services.open(command, neverAborted)).toEqual({ type: 'extensionMissing' })
  expect(inits).toEqual([])
})

test('4.1 an attempt that fails to prepare shows a message without internal details', async () => {
  const { services } = world({ initFails: 'The connection was not ready within 3 seconds' })
  const command = { type: 'open', walletKind: 'mobile', wanted: undefined } as const
  expect(await services.open(command, neverAborted)).toEqual({
    type: 'ended',
    message: 'We could not prepare the connection. Check your internet connection, then try again.',
  })
})

test('4.1 it handles a connection in another tab and a disconnection; leaving cancels the attempt', async () => {
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

const computer: WalletDiscovery = {
  extensionInstalled: false,
  lastUsed: undefined,
  onPhone: false,
}

function view(
  progress: Progress,
  {
    hosted = false,
    hostname = 'lender.example',
    ...discovery
  }: Partial<WalletDiscovery> & { hosted?: boolean; hostname?: string } = {},
) {
  const state: Extract<State, { step: 'connecting' }> = {
    step: 'connecting',
    wanted: { walletAddress: 'tp1me' },
    walletKind: hosted ? 'hosted' : 'mobile',
    progress,
  }
  const target = { name: 'Everyday', address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh' }
  const nothing = () => undefined
  return renderStatic(
    <ConnectView
      state={state}
      send={nothing}
      target={target}
      hosted={hosted}
      discovery={{ ...computer, ...discovery }}
      hostname={hostname}
      onCopy={nothing}
      onBack={nothing}
    />,
  )
}

test('2.7 Connect: a QR code (182 px), a copy-link button, three steps, two alternatives', () => {
  const { html, text } = view({ is: 'waiting', code })
  expect(html).toContain('width="182" height="182"')
  expect(text).toBe(
    'Everyday tp1kn...tklkh Copy link to QR Scan the QR code with your mobile wallet. Approve the notification on your phone. Return to this page. ' +
      'Nothing happens on your phone? Check that your phone is online. ' +
      'Unlock the wallet on your phone. The request appears once it is unlocked. ' +
      'Each code works once. Close this screen and open it again to get a new one. ' +
      'or Chrome Extension Wallet Select A Different Wallet',
  )
})

test('2.7 an installed extension is offered first, above the QR code', () => {
  const { text } = view({ is: 'waiting', code }, { extensionInstalled: true })
  expect(text).toMatch(
    /^Everyday tp1kn\.\.\.tklkh Chrome Extension Wallet Installed in this browser\. or use your phone Copy link to QR/,
  )
  expect(text.split('Chrome Extension Wallet')).toHaveLength(2)
  const lastUsed = { extensionInstalled: true, lastUsed: 'extension' } as const
  expect(view({ is: 'waiting', code }, lastUsed).text).toContain('You used this last time.')
})

test.each([
  ['Chrome', 'extensionUrl'],
  ['Firefox', 'firefoxExtensionUrl'],
] as const)(
  '2.8 where the extension is missing, a link gets it from the store of %s',
  (name, url) => {
    vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 ${name}/140.0` })
    const { html } = renderStatic(<GetExtension />)
    expect(html).toContain(`href="${DEFAULT_WALLET_BRAND[url]}"`)
  },
)

test('2.7 if no phone can reach the page, the help says so', () => {
  const { text } = view({ is: 'waiting', code }, { hostname: 'localhost' })
  expect(text).toContain('This page runs on localhost, which only this computer can reach.')
  expect(view({ is: 'waiting', code }, { hostname: '192.168.1.7' }).text).toContain(
    'Connect your phone to the same network as this computer.',
  )
})

test('2.7 the wallet that connected is remembered for the next time', () => {
  const { services, deviceStorage } = world()
  const wallet = { address: 'tp1me' }
  void services.returnResult(
    { type: 'returnResult', wallet, walletKind: 'extension' },
    neverAborted,
  )
  expect(deviceStorage.read('portico-last-wallet')).toBe('extension')
})

test('2.7 for FIGURE or OLDNET: name and address, the note, and the button', () => {
  expect(view({ is: 'waiting', code }, { hosted: true }).text).toBe(
    'Everyday tp1kn...tklkh Awaiting signature in Figure Wallet Use your Figure Account Select A Different Wallet' +
      // The bar below the wallet on a phone.
      ' Awaiting signature in Figure Wallet Cancel',
  )
})

test("2.7 an organization's wallet has the names from its configuration", () => {
  const brand = {
    ...DEFAULT_WALLET_BRAND,
    walletName: 'Quince Vault',
    accountName: 'Quince Account',
  }
  const nothing = () => undefined
  const { text } = renderStatic(
    <WalletBrandContext value={brand}>
      <ConnectView
        state={{
          step: 'connecting',
          wanted: undefined,
          walletKind: 'hosted',
          progress: { is: 'preparing' },
        }}
        send={nothing}
        target={{ name: 'Everyday' }}
        hosted
        discovery={computer}
        hostname="lender.example"
        onCopy={nothing}
        onBack={nothing}
      />
    </WalletBrandContext>,
  )
  expect(text).toBe(
    'Everyday Awaiting signature in Quince Vault Use your Quince Account Select A Different Wallet' +
      ' Awaiting signature in Quince Vault Cancel',
  )
})

test("protocol 14: on a phone the wallet opens by a link; the code is behind 'Use another phone', without an extension", () => {
  const { html, text } = view({ is: 'waiting', code }, { onPhone: true })
  expect(html).toContain(`href="${code.tapLink}"`)
  expect(text).toBe(
    'Everyday tp1kn...tklkh Open the mobile wallet Approve the connection there, then return to this page. Copy link to QR Use another phone Scan the QR code with the mobile wallet on the other phone. Select A Different Wallet',
  )
  expect(html).toMatch(/<details(?! open)[^>]*><summary>Use another phone<\/summary>.*<img/)
  expect(view({ is: 'waiting', code }).html).not.toContain(code.tapLink)
})

test('8 a failed attempt shows why, and how to continue', () => {
  const { html, text } = view({ is: 'failed', message: 'Requested account is not available' })
  expect(text).toContain('The wallet did not connect Requested account is not available Try again')
  expect(html).toContain('data-tone="danger"')
  // The account that is wanted is still named.
  expect(text).toContain('Everyday tp1kn...tklkh')
})

test("4.2 a wallet that declined is the user's own choice: neutral, with 'Try again' as the primary action", () => {
  const declined: Event = { type: 'ended', message: 'Connection rejected by user' }
  const [state] = after(connect, mobile, [prepared, declined])
  expect(state).toMatchObject({ step: 'connecting', progress: { is: 'declined' } })
  for (const hosted of [false, true]) {
    const { html, text } = view({ is: 'declined' }, { hosted })
    expect(text).toContain('You declined the connection Try again')
    expect(html).toContain('data-tone="info"')
    expect(html.match(/data-kind="primary"/g)).toHaveLength(1)
    expect(html).toMatch(/data-kind="primary"[^>]*><span[^>]*>Try again/)
    // Opening the hosted wallet again would be the same button twice.
    expect(text).not.toContain('Use your Figure Account')
  }
})

test('4.8 a wallet rejected for being another account is returned as the connected one', async () => {
  const { services, emit } = world()
  const left = new AbortController()
  const changes = (await services.watch({ type: 'watch' }, left.signal)) as AsyncGenerator<Event>
  const first = changes.next()
  const mismatch = { address: 'tp1other' }
  emit(WINDOW_MESSAGES.DISCONNECT, { result: { message: 'another account', mismatch } })
  const event: Event = { type: 'mismatched', wallet: mismatch }
  expect((await first).value).toEqual(event)
  left.abort()
  expect(after(connect, mobile, [event])).toEqual([
    { step: 'connected', wallet: mismatch },
    { type: 'returnResult', wallet: mismatch, walletKind: 'mobile' },
  ])
})

test("2.7 9 the toast 'Copied!' is shown for 6000 ms; a browser that denies copying gets another toast", () => {
  expect(copyToast(true)).toMatchObject({ text: 'Copied!', tone: 'ok', timeoutMs: 6000 })
  expect(copyToast(false).text).toContain('did not allow copying')
})
