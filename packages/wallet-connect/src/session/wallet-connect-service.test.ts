import { expect, test } from 'vitest'
import { fieldsIn } from '../protocol/fields.ts'
import { fakePorts } from '../transport/testing.ts'
import type { WalletConnectConfig } from './config.ts'
import { type BroadcastEventName, WINDOW_MESSAGES } from './events.ts'
import { pickWallet } from './launch/pick-wallet.ts'
import { fakeBrowser, GROUP, OTHER_PUBLIC_KEY, scan, settled } from './testing.ts'
import { WalletConnectService } from './wallet-connect-service.ts'

const ME = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'

function aWorld() {
  const { relay, time } = fakePorts()
  const browser = fakeBrowser(relay, time)
  const page = (config: WalletConnectConfig = {}) => {
    const tab = browser.tab()
    const service = new WalletConnectService({
      ...config,
      ports: { ...tab.ports, ...config.ports },
    })
    const events: { name: BroadcastEventName; data: unknown }[] = []
    for (const name of Object.values(WINDOW_MESSAGES)) {
      service.addListener(name, (data) => events.push({ name, data }))
    }
    return { ...tab, service, events, names: () => events.map(({ name }) => name) }
  }
  const wallet = (uri: string) => scan(uri, relay, time)
  const connected = async (config?: WalletConnectConfig) => {
    const opened = page(config)
    await opened.service.init()
    const scanned = await wallet(opened.service.state.modal.QRCodeUrl)
    await settled()
    await scanned.approve()
    await settled()
    return { ...opened, wallet: scanned }
  }
  return { relay, time, browser, page, wallet, connected }
}

test('4.1 init moves to pending and resolves when the QR code is ready', async () => {
  const { page } = aWorld()
  const { service } = page()
  const operation = service.init({ individualAddress: ME, prohibitGroups: true, duration: 3600 })
  expect(service.state.status).toBe('pending')
  await expect(operation).resolves.toBe('initialized')
  expect(service.state.modal).toMatchObject({ showModal: true, isMobile: false })
  expect(service.state.modal.QRCodeImg).toMatch(/^data:image\/svg\+xml,/)
  expect(service.state.modal.QRCodeUrl).toMatch(
    /^wc:[-0-9a-f]{36}@1\?bridge=wss%3A%2F%2Fpage\.example%2Fservice-wallet-connect-bridge%2Fws%2Fexternal&key=[0-9a-f]{64}&individualAddress=tp1.*&prohibitGroups=true&connectionDuration=3600$/,
  )
})

test.each([
  { device: 'a phone', redirectUrl: 'https://page.example/start?x=1' },
  { device: 'a computer, where the wallet is on another device', redirectUrl: undefined },
])('protocol 6, 9: the way back from the wallet to a page on $device', async ({ redirectUrl }) => {
  const { connected } = aWorld()
  const { service, wallet } = await connected({ ports: { returnHref: () => redirectUrl } })
  const requested = [wallet.received[0]?.['params']].flat()[0]
  expect(fieldsIn(requested)['redirectUrl']).toBe(redirectUrl)
  void service.signHexMessage('deadbeef')
  void service.signJWT()
  void service.sendMessage({ message: 'ChwvY29zbW9zLmJhbmsudjFiZXRhMS5Nc2dTZW5k' })
  await settled()
  const requests = wallet.received.slice(1)
  expect(requests).toHaveLength(3)
  for (const { params } of requests) {
    const [metadata] = params as readonly string[]
    expect(JSON.parse(metadata ?? '')).toMatchObject(redirectUrl ? { redirectUrl } : {})
    expect(metadata?.includes('redirectUrl')).toBe(redirectUrl !== undefined)
  }
})

test('4.1 a connect event moves to connected and sets the connection start and the expiry', async () => {
  const { connected, time } = aWorld()
  const { service, events } = await connected()
  const dates = { connectionEST: time.now(), connectionEXP: time.now() + 86_400_000 }
  expect(service.state).toMatchObject({
    ...dates,
    address: ME,
    connected: true,
    peer: { name: 'Wallet' },
    status: 'connected',
    walletInfo: { name: 'My account' },
  })
  expect(service.state.modal.showModal).toBe(false)
  expect(events).toEqual([
    { name: 'FWC_CONNECTED', data: { result: { ...dates, connectionType: 'new session' } } },
  ])
})

test('protocol 16.4: the state contains neither key nor connection', async () => {
  const { connected, browser } = aWorld()
  const { service } = await connected()
  const { key } = JSON.parse(browser.storage.get('walletconnect') ?? '{}') as { key: string }
  service.updateModal({ QRCodeUrl: '' })
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.stringify(service.state)).not.toContain(key)
  expect(service.state).not.toHaveProperty('connector')
})

test.each(['reject', 'approved:false'])(
  'protocol 6: a rejection (%s) ends the attempt once',
  async (form) => {
    const { page, wallet } = aWorld()
    const { service, events } = page()
    await service.init()
    const scanned = await wallet(service.state.modal.QRCodeUrl)
    await settled()
    if (form === 'reject') await scanned.reject()
    else {
      const id = scanned.received[0]?.['id']
      await scanned.answer(id, { approved: false, peerId: null, accounts: [null] })
    }
    await settled()
    expect(service.state.status).toBe('disconnected')
    const message = form === 'reject' ? 'Session Rejected' : 'Session update rejected'
    expect(events).toEqual([{ name: 'FWC_DISCONNECT', data: { result: { message } } }])
  },
)

test("protocol 16.1: approving the old code after a second init never gives a false 'connected'", async () => {
  const { page, wallet, relay } = aWorld()
  const { service, names } = page()
  await service.init()
  const old = await wallet(service.state.modal.QRCodeUrl)
  await service.init()
  await settled()
  await old.approve()
  await settled()
  expect(service.state.status).toBe('pending')
  expect(names()).toEqual([])
  const current = await wallet(service.state.modal.QRCodeUrl)
  await settled()
  await current.approve()
  await settled()
  expect(service.state).toMatchObject({ status: 'connected', connected: true })
  // One of the page and two of the wallets.
  expect(relay.connections()).toBe(3)
})

test('two concurrent inits both resolve with the newer one', async () => {
  const { page } = aWorld()
  const { service } = page()
  const both = [service.init(), service.init()]
  await expect(Promise.all(both)).resolves.toEqual(['initialized', 'initialized'])
})

test('protocol 16.5: an init that is not ready within 3 s rejects with an error and goes back to disconnected', async () => {
  const { page, time } = aWorld()
  const opened = page()
  const operation = opened.service.init({ walletAppId: 'figure_mobile' })
  time.pass(2999)
  expect(opened.service.state.status).toBe('pending')
  time.pass(1)
  await expect(operation).rejects.toThrow('not ready within 3 seconds')
  expect(opened.service.state.status).toBe('disconnected')
})

test.each([
  ['has no addr claim', { claims: { addr: '' } }, 'jwt is missing addr claim'],
  ['is missing', { jwt: () => '' }, 'jwt is missing addr claim'],
  ['does not verify', { jwt: (right: string) => `${right.slice(0, -4)}AAAA` }, 'signature'],
  ['is no token', { jwt: () => 'a.b.c' }, 'malformed'],
  [
    'belongs to another address',
    { address: 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy' },
    'address',
  ],
  ['names no group though one is represented', { group: GROUP, withoutGrp: true }, 'group'],
  ['names a group though none is represented', { claims: { grp: GROUP } }, 'group'],
  ['is of another key', { address: ME, otherKey: true }, 'address'],
  ['is of another key than the account names', { publicKey: OTHER_PUBLIC_KEY }, '(key)'],
])('a wallet with a token that %s is refused with one outcome', async (_, changes, reason) => {
  const { page, wallet } = aWorld()
  const { service, events } = page()
  await service.init()
  const scanned = await wallet(service.state.modal.QRCodeUrl)
  await settled()
  await scanned.approve(changes)
  await settled()
  expect(service.state).toMatchObject({ status: 'disconnected', address: '', signedJWT: '' })
  expect(events).toHaveLength(1)
  expect(JSON.stringify(events)).toContain(reason)
  // The wallet must be notified, or it would assume that the session continues.
  expect(scanned.received.at(-1)).toMatchObject({ params: [{ approved: false }] })
})

test.each([
  ['individualAddress', { individualAddress: 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy' }, {}],
  ['groupAddress', { groupAddress: GROUP }, {}],
  ['prohibitGroups', { prohibitGroups: true }, { group: GROUP }],
])(
  'protocol 8: after connect the account must meet %s, or it is disconnected',
  async (_, required, changes) => {
    const { page, wallet } = aWorld()
    const { service, events } = page()
    await service.init(required)
    const scanned = await wallet(service.state.modal.QRCodeUrl)
    await settled()
    await scanned.approve(changes)
    await settled()
    expect(service.state.status).toBe('disconnected')
    // The event names the account that connected instead of the required one.
    expect(events).toMatchObject([
      { name: 'FWC_DISCONNECT', data: { result: { mismatch: { address: ME, ...changes } } } },
    ])
  },
)

test('4.1 closing the modal while pending with no wallet app and no connection returns to disconnected', async () => {
  const { page } = aWorld()
  const { service, names } = page()
  await service.init()
  service.updateModal({ dynamicUrl: 'https://elsewhere.example' })
  expect(service.state.status).toBe('pending')
  service.updateModal({ showModal: false })
  expect(service.state.status).toBe('disconnected')
  expect(names()).toEqual([])

  // With a wallet app the dialog may close while the wallet is pending.
  await service.init()
  service.setWalletAppId('figure_extension')
  service.updateModal({ showModal: false })
  expect(service.state.status).toBe('pending')
})

test('protocol 16.10: a direct mobile start keeps the status pending', async () => {
  const { page } = aWorld()
  const { service, logged } = page()
  await service.init({ walletAppId: 'figure_mobile' })
  expect(service.state).toMatchObject({ status: 'pending', walletAppId: 'figure_mobile' })
  expect(service.state.modal.showModal).toBe(false)
  expect(service.state.modal.dynamicUrl).toMatch(/^https:\/\/figurewallet\.page\.link\?link=/)
  // The short-link service is unreachable, so the code contains the long link.
  expect(logged).toEqual(['Failed to fetch short QR code'])
})

test('protocol 13: a direct start sends the extension the plain uri and the redirect URL', async () => {
  const { page } = aWorld()
  const { service, dispatched } = page()
  await service.init({ walletAppId: 'figure_extension', iframeParentId: 'here' })
  expect(dispatched).toEqual([
    {
      event: 'figureWalletExtensionSendMessage',
      detail: {
        event: 'walletconnect_init',
        uri: service.state.modal.QRCodeUrl,
        redirectUrl: 'https://page.example/start?x=1',
        iframeParentId: 'here',
      },
    },
  ])
})

test('protocol 13: a wallet that is picked in the dialog gets the encoded uri, the timeout and the page', async () => {
  const { page } = aWorld()
  const { service, dispatched, ports } = page()
  await service.init()
  const { QRCodeUrl } = service.state.modal
  const href = 'https://page.example/start?x=1'
  for (const id of ['figure_extension', 'figure_hosted']) {
    const wallet = service.wallets.find((each) => each.id === id) ?? expect.fail(id)
    expect(pickWallet(service, wallet, { href, openWindow: ports.openWindow })).toBeUndefined()
  }
  const detail = {
    event: 'walletconnect_init',
    uri: encodeURIComponent(QRCodeUrl),
    duration: 86_400_000,
    redirectUrl: href,
  }
  expect(dispatched).toEqual([
    { event: 'figureWalletExtensionSendMessage', detail },
    { event: 'figureWalletHostedSendMessage', detail: { ...detail, walletId: 'figure_hosted' } },
  ])
})

test('protocol 13: without the extension its store page opens, and the attempt continues', async () => {
  const { page } = aWorld()
  const { service, dispatched } = page({ ports: { hasExtension: () => false } })
  await expect(service.init({ walletAppId: 'figure_extension' })).resolves.toBe('initialized')
  expect(service.state.status).toBe('pending')
  const store = expect.stringMatching(
    /^https:\/\/chrome\.google\.com\/webstore\/.*\/mgbfflhghaohmae/,
  )
  expect(dispatched).toEqual([{ event: 'openWindow', detail: store }])
})

test('protocol 13: the hosted wallet gets starts, requests with their actions, and the end', async () => {
  const { page, wallet } = aWorld()
  const { service, dispatched } = page()
  await service.init({ walletAppId: 'figure_hosted' })
  const scanned = await wallet(service.state.modal.QRCodeUrl)
  await settled()
  await scanned.approve()
  await settled()
  const operation = service.switchToGroup(GROUP)
  await settled()
  await scanned.answer(scanned.received.at(-1)?.['id'], 'done')
  await operation
  await service.disconnect()
  expect(dispatched.map(({ event }) => event)).toEqual(
    Array(3).fill('figureWalletHostedSendMessage'),
  )
  expect(dispatched.map(({ detail }) => detail)).toMatchObject([
    { event: 'walletconnect_init', walletId: 'figure_hosted' },
    {
      event: 'walletconnect_event',
      walletId: 'figure_hosted',
      data: {
        action: 'switchToGroup',
        payload: { address: GROUP },
        description: 'Send Wallet Action',
        method: 'wallet_action',
      },
    },
    { event: 'walletconnect_disconnect', walletId: 'figure_hosted' },
  ])
})

test('protocol 13: the extension receives events for start, connection, request, timeout reset and end', async () => {
  const { page, wallet } = aWorld()
  const { service, dispatched } = page()
  await service.init({ walletAppId: 'figure_extension' })
  const scanned = await wallet(service.state.modal.QRCodeUrl)
  await settled()
  await scanned.approve()
  await settled()
  await scanned.update()
  await settled()
  const operation = service.signHexMessage('aa')
  await settled()
  await scanned.answer(scanned.received.at(-1)?.['id'])
  await operation
  await service.disconnect()
  const notified = dispatched.map(({ detail }) => detail as { event: string; data?: unknown })
  expect(notified.map(({ event }) => event)).toEqual([
    'walletconnect_init',
    'walletconnect_connect',
    'walletconnect_session_update',
    'walletconnect_event',
    'resetConnectionTimeout',
    'walletconnect_disconnect',
  ])
  expect(notified[4]?.data).toBe(86_400_000)
})

test('4.1 pendingMethod is set while an operation is pending and cleared afterwards, with one event', async () => {
  const { connected } = aWorld()
  const { service, wallet, events } = await connected()
  const operation = service.signHexMessage('deadbeef', { customId: 'one' })
  expect(service.state.pendingMethod).toBe('signHexMessage')
  await settled()
  await wallet.answer(wallet.received.at(-1)?.['id'])
  const result = await operation
  expect(result).toMatchObject({ valid: true, request: { method: 'provenance_sign' } })
  expect(service.state.pendingMethod).toBe('')
  expect(events.slice(1)).toEqual([{ name: 'SIGN_HEX_MESSAGE_COMPLETE', data: result }])
})

test.each<{
  method: string
  event: string
  operate: (service: WalletConnectService) => Promise<{ readonly valid: boolean }>
  answer?: unknown
}>([
  {
    method: 'sendMessage',
    event: 'SEND_MESSAGE',
    operate: (service) => service.sendMessage({ message: 'AAAA' }),
    answer: { txResponse: { code: 0 } },
  },
  {
    method: 'signHexMessage',
    event: 'SIGN_HEX_MESSAGE',
    operate: (service) => service.signHexMessage('aa'),
  },
  { method: 'signJWT', event: 'SIGN_JWT', operate: (service) => service.signJWT() },
  {
    method: 'switchToGroup',
    event: 'SWITCH_TO_GROUP',
    operate: (service) => service.switchToGroup(GROUP),
    answer: 'done',
  },
  {
    method: 'removePendingMethod',
    event: 'REMOVE_PENDING_METHOD',
    operate: (service) => service.removePendingMethod('one'),
    answer: 'done',
  },
])(
  '4.1 $method is the pendingMethod until it has ended, broadcasts $event once, and resets the timeout',
  async ({ method, event, operate, answer }) => {
    const { connected, time } = aWorld()
    const { service, wallet, names } = await connected()
    for (const ending of ['COMPLETE', 'FAILED']) {
      time.pass(5000)
      const before = names().length
      const operation = operate(service)
      expect(service.state.pendingMethod).toBe(method)
      await settled()
      const id = wallet.received.at(-1)?.['id']
      await (ending === 'COMPLETE' ? wallet.answer(id, answer) : wallet.refuse(id, 'declined'))
      expect(await operation).toMatchObject({ valid: ending === 'COMPLETE' })
      await settled()
      expect(service.state.pendingMethod).toBe('')
      expect(names().slice(before)).toEqual([`${event}_${ending}`])
      expect(service.state.connectionEXP).toBe(time.now() + 86_400_000)
    }
  },
)

test('4.1 init of a connected session resolves and changes nothing', async () => {
  const { connected } = aWorld()
  const { service, names } = await connected()
  const before = service.state
  await expect(service.init()).resolves.toBe('initialized')
  expect(service.state).toBe(before)
  expect(names()).toEqual(['FWC_CONNECTED'])
})

test('4.1 every operation resets the connection timeout', async () => {
  const { connected, time } = aWorld()
  const { service } = await connected()
  time.pass(5000)
  await service.signHexMessage('not hex')
  expect(service.state.connectionEXP).toBe(time.now() + 86_400_000)
})

test('5 a message that is not hex is refused before the wallet is contacted', async () => {
  const { connected } = aWorld()
  const { service, wallet, names } = await connected()
  const received = wallet.received.length
  const result = await service.signHexMessage('0xdeadbeef')
  await settled()
  expect(result).toMatchObject({ valid: false, error: 'Message parameter is not a hex value.' })
  expect(names()).toContain('SIGN_HEX_MESSAGE_FAILED')
  expect(wallet.received).toHaveLength(received)
})

test("protocol 12: without a connection every operation fails with 'No wallet connected'", async () => {
  const { page } = aWorld()
  const { service, names } = page()
  for (const operation of [
    service.sendMessage({ message: 'AAAA' }),
    service.signHexMessage('deadbeef'),
    service.signJWT(),
    service.switchToGroup(),
    service.removePendingMethod('one'),
  ]) {
    await expect(operation).resolves.toMatchObject({ valid: false, error: 'No wallet connected' })
  }
  await settled()
  expect(names()).toHaveLength(5)
  expect(service.state.connectionEXP).toBeNull()
})

test('protocol 16.7: a token signed by another key is not stored; a right one is', async () => {
  const { connected, browser } = aWorld()
  const { service, wallet } = await connected({ issuer: 'lender.example' })
  const before = service.state.signedJWT
  const wrong = service.signJWT(60)
  await settled()
  const first = wallet.received.at(-1)?.['id']
  await wallet.answer(first, wallet.signature(first, { otherKey: true }))
  await expect(wrong).resolves.toMatchObject({ valid: false })
  expect(service.state.signedJWT).toBe(before)
  const right = service.signJWT(60)
  await settled()
  await wallet.answer(wallet.received.at(-1)?.['id'])
  const { result } = await right
  expect(service.state.signedJWT).toBe(result?.signedJWT)
  expect(browser.storage.get('walletconnect-js')).toContain(result?.signedJWT)
})

test('protocol 16.6: if the wallet never responds the operation times out', async () => {
  const { connected, time } = aWorld()
  const { service } = await connected({ requestTimeoutMs: 10_000 })
  const operation = service.sendMessage({ message: 'AAAA' })
  await settled()
  time.pass(10_000)
  await expect(operation).resolves.toMatchObject({
    valid: false,
    error: 'Error: Request timed out',
  })
  expect(service.state.pendingMethod).toBe('')
})

test('concurrent operations are matched with their responses in any order', async () => {
  const { connected } = aWorld()
  const { service, wallet } = await connected()
  const first = service.signHexMessage('aa')
  const second = service.signHexMessage('bb')
  await settled()
  const [one, two] = wallet.received.slice(-2).map(({ id }) => id)
  await wallet.answer(two)
  await expect(second).resolves.toMatchObject({ valid: true })
  expect(service.state.pendingMethod).toBe('signHexMessage')
  await wallet.answer(one)
  await expect(first).resolves.toMatchObject({ valid: true })
  expect(service.state.pendingMethod).toBe('')
})

test('an operation withdrawn by its customId also ends on the page', async () => {
  const { connected } = aWorld()
  const { service, wallet } = await connected()
  const operation = service.sendMessage({ message: 'AAAA', customId: 'tx' })
  const withdrawn = service.removePendingMethod('tx')
  await settled()
  await wallet.answer(wallet.received.at(-1)?.['id'], 'removed')
  await expect(withdrawn).resolves.toMatchObject({ valid: true, result: 'removed' })
  await expect(operation).resolves.toMatchObject({
    valid: false,
    error: 'Error: Request withdrawn',
  })
})

test('4.1 a session update refreshes start and expiry; protocol 16.3: it keeps the peer, protocol 16.9: it uses the current timeout', async () => {
  const { connected, time } = aWorld()
  const { service, wallet, events } = await connected()
  service.resetConnectionTimeout(60)
  time.pass(1000)
  await wallet.update({ group: GROUP })
  await settled()
  expect(service.state).toMatchObject({
    connectionEST: time.now(),
    connectionEXP: time.now() + 60_000,
    peer: { name: 'Wallet' },
    representedGroupPolicy: { address: GROUP },
  })
  expect(events.at(-1)).toMatchObject({
    name: 'FWC_SESSION_UPDATED',
    data: { result: { connectionType: 'existing session' } },
  })
})

test('an update with an invalid token ends the session on both sides', async () => {
  const { connected } = aWorld()
  const { service, wallet, names } = await connected()
  await wallet.update({ jwt: (right) => right.slice(0, -8) })
  await settled()
  expect(service.state.status).toBe('disconnected')
  expect(names()).toEqual(['FWC_CONNECTED', 'FWC_DISCONNECT'])
  expect(wallet.received.at(-1)).toMatchObject({ params: [{ approved: false }] })
})

test('protocol 6.1: either side can end the session, and the other is notified once', async () => {
  const one = await aWorld().connected()
  await one.service.disconnect('bye')
  await settled()
  expect(one.events.at(-1)).toEqual({
    name: 'FWC_DISCONNECT',
    data: { result: { message: 'bye' } },
  })
  expect(one.wallet.received.filter(({ method }) => method === 'wc_sessionUpdate')).toHaveLength(1)

  const other = await aWorld().connected()
  const operation = other.service.signHexMessage('aa')
  await settled()
  await other.wallet.end()
  await settled()
  await expect(operation).resolves.toMatchObject({ error: 'Error: Session currently disconnected' })
  expect(other.service.state).toMatchObject({ status: 'disconnected', pendingMethod: '' })
  expect(other.names().filter((name) => name === 'FWC_DISCONNECT')).toHaveLength(1)
})

test('protocol 6.1: a page that navigates away after the end can wait until the last message is sent', async () => {
  const { service, wallet } = await aWorld().connected()
  await service.disconnect()
  await service.flush()
  await settled()
  expect(wallet.received.filter(({ method }) => method === 'wc_sessionUpdate')).toHaveLength(1)
  // Without a connection there is no message to wait for.
  await service.flush()
})

test("8 a wallet that expires slightly before the page also ends the session as 'Connection Expired'", async () => {
  const { connected, time } = aWorld()
  const { service, wallet, events } = await connected()
  service.resetConnectionTimeout(10)
  time.pass(9500)
  await wallet.end()
  await settled()
  expect(service.state.status).toBe('disconnected')
  expect(events.at(-1)?.data).toEqual({ result: { message: 'Connection Expired' } })
})

test("4.1 the expiry check ends the session with the reason 'Connection Expired', in two tabs with one message to the wallet", async () => {
  const { connected, page, time } = aWorld()
  const first = await connected()
  first.service.resetConnectionTimeout(11)
  const second = page()
  await settled()
  time.pass(10_999)
  await settled()
  expect([first.service.state.status, second.service.state.status]).toEqual([
    'connected',
    'connected',
  ])
  time.pass(1)
  await settled()
  expect([first.service.state.status, second.service.state.status]).toEqual([
    'disconnected',
    'disconnected',
  ])
  expect(first.events.at(-1)?.data).toEqual({ result: { message: 'Connection Expired' } })
  expect(first.wallet.received.filter(({ method }) => method === 'wc_sessionUpdate')).toHaveLength(
    1,
  )
})

test('4.1 stored state is restored on load and the page is notified', async () => {
  const { connected, page, relay } = aWorld()
  const first = await connected()
  first.service.stop()
  await settled()
  const second = page()
  expect(second.service.state).toMatchObject({ status: 'connected', address: ME })
  await settled()
  expect(second.events).toMatchObject([
    { name: 'FWC_CONNECTED', data: { result: { connectionType: 'existing session' } } },
  ])
  const operation = second.service.signHexMessage('aa')
  await settled()
  await first.wallet.answer(first.wallet.received.at(-1)?.['id'])
  await expect(operation).resolves.toMatchObject({ valid: true })
  expect(relay.connections()).toBe(2)
})

test('4.1 a stored session that is connected but expired is ended without being used', async () => {
  const { connected, page, time, browser } = aWorld()
  const first = await connected()
  first.service.stop()
  await settled()
  time.pass(86_400_000)
  const second = page()
  expect(second.service.state.status).toBe('disconnected')
  await settled()
  expect(second.events).toEqual([
    { name: 'FWC_DISCONNECT', data: { result: { message: 'Connection Expired' } } },
  ])
  expect(first.wallet.received.at(-1)).toMatchObject({ params: [{ approved: false }] })
  expect(browser.storage.size).toBe(0)
})

test.each([
  ['no JSON', '{', '{'],
  ['a list', '[]', '[]'],
  ['another program’s', '{"connected":true}', '{"connectionEXP":"soon"}'],
  ['null', 'null', 'null'],
])('storage with %s does not throw', async (_, client, own) => {
  const { page, browser } = aWorld()
  browser.storage.set('walletconnect', client)
  browser.storage.set('walletconnect-js', own)
  const { service, names, reported } = page()
  await settled()
  expect(service.state.status).toBe('disconnected')
  expect(names()).toEqual([])
  await expect(service.init()).resolves.toBe('initialized')
  expect(reported).toEqual([])
})

test('protocol 16.2: disconnecting in one tab: the other disconnects without a second message and with one event', async () => {
  const { connected, page } = aWorld()
  const first = await connected()
  const second = page()
  await settled()
  await first.service.disconnect()
  await settled()
  expect(second.service.state.status).toBe('disconnected')
  expect(second.names()).toEqual(['FWC_CONNECTED', 'FWC_DISCONNECT'])
  expect(first.names()).toEqual(['FWC_CONNECTED', 'FWC_DISCONNECT'])
  expect(first.wallet.received.filter(({ method }) => method === 'wc_sessionUpdate')).toHaveLength(
    1,
  )
})

test('4.1 a storage change in another tab triggers a resync: both are connected, and both see a new token', async () => {
  const { connected, page } = aWorld()
  const idle = aWorld()
  const waiting = idle.page()
  await waiting.service.init()
  const elsewhere = await idle.connected()
  await settled()
  expect(waiting.service.state).toMatchObject({ status: 'connected', address: ME })
  expect(elsewhere.service.state.status).toBe('connected')

  const first = await connected()
  const second = page()
  await settled()
  const operation = first.service.signJWT()
  await settled()
  await first.wallet.answer(first.wallet.received.at(-1)?.['id'])
  await operation
  await settled()
  expect(second.service.state.signedJWT).toBe(first.service.state.signedJWT)
})

test('4.1 a message event named reinitConnection restarts the extension connection', async () => {
  const { page } = aWorld()
  const { service, post, dispatched } = page()
  post('reinitConnection')
  expect(service.state.status).toBe('disconnected')
  await service.init({ walletAppId: 'figure_extension' })
  const before = service.state.modal.QRCodeUrl
  for (const data of [
    'reinitConnection',
    { type: 'reinitConnection' },
    { event: 'reinitConnection' },
  ]) {
    post(data)
    await settled()
  }
  expect(dispatched).toHaveLength(4)
  expect(service.state.modal.QRCodeUrl).not.toBe(before)
})

test('4.1 reinitConnection restarts an extension connection that is connected', async () => {
  const { page, wallet } = aWorld()
  const { service, post, names } = page()
  const options = { walletAppId: 'figure_extension', individualAddress: ME } as const
  await service.init(options)
  const extension = await wallet(service.state.modal.QRCodeUrl)
  await settled()
  await extension.approve()
  await settled()
  expect(service.state.status).toBe('connected')
  const before = service.state.modal.QRCodeUrl
  post('reinitConnection')
  await settled()
  expect(service.state).toMatchObject({ status: 'pending', walletAppId: 'figure_extension' })
  expect(service.state.modal.QRCodeUrl).not.toBe(before)
  // The page's requirements still apply.
  expect(service.state.modal.QRCodeUrl).toContain(ME)
  expect(names()).toEqual(['FWC_CONNECTED', 'FWC_DISCONNECT'])
  expect(extension.received.at(-1)).toMatchObject({ params: [{ approved: false }] })
})

test('1000 reload-and-restore cycles leave one session, one socket, one set of listeners', async () => {
  const { connected, browser, relay } = aWorld()
  const first = await connected()
  const alive = first.alive()
  const { service } = first
  for (let cycle = 0; cycle < 1000; cycle += 1) {
    service.stop()
    service.start()
    if (cycle % 50 === 0) await settled()
  }
  await settled()
  expect(service.state.status).toBe('connected')
  expect(first.alive()).toBe(alive)
  expect(relay.connections()).toBe(2)
  expect(browser.storage.size).toBe(2)
})

test('a listener that throws does not affect the others and is reported', async () => {
  const { page } = aWorld()
  const { service, reported } = page()
  const received: string[] = []
  service.removeListener('all')
  service.addListener('SIGN_JWT_FAILED', () => {
    throw new Error('the page is broken')
  })
  service.addListener('SIGN_JWT_FAILED', () => received.push('still'))
  await service.signJWT()
  await settled()
  expect(received).toEqual(['still'])
  expect(reported).toHaveLength(1)
})
