import { Refusal } from '@portico/contracts/errors'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ACCOUNT, aDevice, TRANSACTION } from './device-requests.testing.ts'
import type { ConnectOptions, DeviceRequests } from './device-requests.ts'

// Longer than the default of one second, for machines under load.
const WAITS = { timeout: 30_000 }

function aWorld() {
  const device = aDevice()
  onTestFinished(async () => {
    await device.close()
    expect(device.reports).toEqual([])
  })
  return device
}

/** The page acts for a group of the account. */
const GROUP = { groupAddress: ACCOUNT.groups[0]?.address ?? '' }

const promptOf = (source: DeviceRequests, kind: 'connect' | 'act' = 'act') =>
  vi.waitFor(() => {
    const prompt = source.prompt()
    if (prompt?.kind !== kind) throw new Error(`no ${kind}`)
    return prompt
  }, WAITS)

/** A page that the user has connected. */
async function aConnectedPage(
  world: ReturnType<typeof aDevice>,
  source: DeviceRequests,
  options: Parameters<ReturnType<typeof world.aPage>['init']>[0] = {},
  origin: string | undefined = 'https://page.example',
) {
  const page = world.aPage()
  await page.init(options)
  const connecting = source.connect(page.state.modal.QRCodeUrl, origin)
  await promptOf(source, 'connect')
  await world.approve(source)
  expect(await connecting).toBeUndefined()
  await vi.waitFor(() => expect(page.state.connected).toBe(true), WAITS)
  return page
}

test('protocol 6: a page connects, signs and is listed', async () => {
  const world = aWorld()
  const source = world.start()
  const page = await aConnectedPage(world, source)
  expect(source.sites()).toMatchObject([
    { origin: 'https://page.example', acting: { account: { address: ACCOUNT.address } } },
  ])
  const signing = page.signHexMessage('deadbeef')
  const prompt = await promptOf(source)
  expect(prompt.id).toMatch(/^[0-9a-f-]{36}:\d+$/)
  await world.approve(source)
  expect(await signing).toMatchObject({ valid: true })
  expect(source.decided()).toEqual({ kind: 'sign', how: 'agreed' })
})

test('a group named like an own account has no name while the wallet is locked either', async () => {
  const world = aWorld()
  const [group] = ACCOUNT.groups
  const groupAddress = group?.address ?? expect.fail()
  const own = { ...ACCOUNT, name: 'LARCH partners', address: 'tp1own', groups: [] }
  const keeper = {
    ...world.keeper,
    accounts: async () => [...(await world.keeper.accounts()), own],
  }
  const first = world.start({ keeper })
  const page = world.aPage()
  await page.init({ groupAddress })
  void first.connect(page.state.modal.QRCodeUrl, 'https://page.example')
  await promptOf(first, 'connect')
  await world.approve(first)
  await vi.waitFor(() => expect(page.state.connected).toBe(true), WAITS)
  const shown = [{ acting: { group: { name: '', address: groupAddress } } }]
  expect(first.sites()).toMatchObject(shown)
  world.become('locked')
  await first.stop()
  const source = world.start({ keeper })
  await source.ready
  expect(source.sites()).toMatchObject(shown)
})

test.each(['approve', 'decline'] as const)(
  '2.6 a window that answers while the next process still reads the request is not ignored: %s',
  async (decision) => {
    const world = aWorld()
    const first = world.start()
    const page = await aConnectedPage(world, first)
    const signing = page.signHexMessage('deadbeef')
    const prompt = await promptOf(first)
    await first.stop()
    const next = world.start()
    await next.ready
    expect(next.prompt()).toBeUndefined()
    if (decision === 'decline') next.answer(prompt.id, undefined)
    else {
      expect(await next.commit(prompt.id)).toBe(true)
      if (prompt.kind !== 'act') return expect.fail()
      next.answer(prompt.id, world.carryOut(prompt.id, prompt.request))
    }
    await next.answered(prompt.id)
    expect(await signing).toMatchObject({ valid: decision === 'approve' })
  },
)

test('2.6 a window that approves a connection while the next process still reads the request is not ignored', async () => {
  const world = aWorld()
  const first = world.start()
  const page = world.aPage()
  await page.init({})
  void first.connect(page.state.modal.QRCodeUrl, 'https://page.example')
  const prompt = await promptOf(first, 'connect')
  await first.stop()
  const next = world.start()
  await next.ready
  expect(next.prompt()).toBeUndefined()
  expect(await next.commit(prompt.id)).toBe(true)
  await world.approve(next)
  await vi.waitFor(() => expect(page.state.connected).toBe(true), WAITS)
})

test('2.6 a request is prompted again under the same id after the process was stopped', async () => {
  const world = aWorld()
  const first = world.start()
  const page = await aConnectedPage(world, first)
  const sending = page.sendMessage({ message: TRANSACTION, memo: 'one' })
  const { id } = await promptOf(first)
  await first.stop()
  const second = world.start()
  expect((await promptOf(second)).id).toBe(id)
  await world.approve(second)
  expect(await sending).toMatchObject({ valid: true })
  expect([...world.carriedOut.values()]).toEqual([1, 1])
})

test('2.6 a result that was reached before the stop is returned without a prompt', async () => {
  const world = aWorld()
  const first = world.start()
  const page = await aConnectedPage(world, first)
  const sending = page.sendMessage({ message: TRANSACTION, memo: 'one' })
  const prompt = await promptOf(first)
  expect(await first.commit(prompt.id)).toBe(true)
  if (prompt.kind !== 'act') return expect.fail()
  world.carryOut(prompt.id, prompt.request)
  await first.stop()
  const second = world.start()
  const shown = vi.fn<() => void>()
  second.subscribe(() => second.prompt() !== undefined && shown())
  expect(await sending).toMatchObject({ valid: true, result: { txResponse: { txhash: 'TX one' } } })
  expect(shown).not.toHaveBeenCalled()
  // A window that still shows the request shows how it ended.
  expect(second.decided()).toEqual({ kind: 'send', how: 'agreed' })
})

test('2.6 a request that fails because its process is being stopped is answered once, by the next process', async () => {
  const world = aDevice()
  onTestFinished(world.close)
  const first = world.start()
  const page = await aConnectedPage(world, first)
  const sending = page.sendMessage({ message: TRANSACTION, memo: 'one' })
  await promptOf(first)
  await first.stop()
  const resultOf = () => Promise.reject(new Error('The storage is closing.'))
  let isStopping = false
  const stopped = world.start({
    keeper: { ...world.keeper, resultOf },
    store: {
      ...world.store,
      update: async (key, change) => {
        if (isStopping) throw new Error('The storage is closing.')
        return world.store.update(key, change)
      },
    },
  })
  await vi.waitFor(() => expect(world.reports.length).toBeGreaterThan(0), WAITS)
  isStopping = true
  await stopped.stop()
  const next = world.start()
  await promptOf(next)
  await world.approve(next)
  expect(await sending).toMatchObject({ valid: true })
})

const ORIGIN = 'https://page.example'

test('2.6 the requests of closed pages are withdrawn, and the connection stays', async () => {
  const world = aWorld()
  const source = world.start()
  const page = await aConnectedPage(world, source)
  const [first, second] = [page.signHexMessage('aa'), page.signHexMessage('bb')]
  await promptOf(source)
  await vi.waitFor(() => expect(source.waiting()).toBe(2), WAITS)
  await source.withdraw('https://other.example')
  expect(source.waiting()).toBe(2)
  await source.withdraw(ORIGIN)
  expect(source.waiting()).toBe(0)
  expect(await first).toMatchObject({ valid: false })
  expect(await second).toMatchObject({ valid: false })
  expect(source.decided()).toEqual({ kind: 'sign', how: 'withdrawn' })
  const third = page.signHexMessage('cc')
  await promptOf(source)
  await world.approve(source)
  expect(await third).toMatchObject({ valid: true })
})

test('2.6 a request of a closed page is withdrawn even while the next process still reads it', async () => {
  const world = aWorld()
  const first = world.start()
  const page = await aConnectedPage(world, first)
  const signing = page.signHexMessage('aa')
  await promptOf(first)
  await first.stop()
  const next = world.start()
  await next.ready
  expect(next.prompt()).toBeUndefined()
  await next.withdraw(ORIGIN)
  expect(next.waiting()).toBe(0)
  expect(await signing).toMatchObject({ valid: false })
})

test('2.6 a page that starts the wallet again gives up its earlier attempt', async () => {
  const world = aWorld()
  const source = world.start()
  const [old, page] = [world.aPage(), world.aPage()]
  await old.init()
  const first = source.connect(old.state.modal.QRCodeUrl, ORIGIN)
  const { id } = await promptOf(source, 'connect')
  await page.init()
  const second = source.connect(page.state.modal.QRCodeUrl, ORIGIN)
  expect(await first).toBe('rejected')
  await vi.waitFor(() => expect(source.prompt()?.id).not.toBe(id), WAITS)
  await promptOf(source, 'connect')
  const seen: number[] = []
  source.subscribe(() => seen.push(source.connecting()))
  expect(source.connecting()).toBe(1)
  await world.approve(source)
  expect(await second).toBeUndefined()
  // Listeners are notified: the approval window then closes.
  await vi.waitFor(() => expect(seen.at(-1)).toBe(0), WAITS)
})

test('2.6 while the wallet is locked, any number of frames without an origin leave attempts to their top page and to others', async () => {
  const world = aWorld()
  world.become('locked')
  const source = world.start()
  const connect = async (...sender: [string | undefined, ConnectOptions?]) => {
    const page = world.aPage()
    await page.init()
    return source.connect(page.state.modal.QRCodeUrl, ...sender)
  }
  const frames = Array.from({ length: 12 }, () => connect(undefined, { tabOrigin: ORIGIN }))
  // The browser may hide the origin of tabs in which the wallet is not enabled.
  const unknown = Array.from({ length: 12 }, () => connect(undefined, { tabOrigin: '' }))
  const pages = [connect(ORIGIN), connect('https://other.example')]
  const ended = await Promise.all([...frames.slice(0, -1), ...unknown.slice(0, -1)])
  expect(new Set(ended)).toEqual(new Set(['rejected']))
  await vi.waitFor(() => expect(source.waiting()).toBe(4), WAITS)
  await world.settled()
  const stored = [...world.store.values.keys()].filter((key) => key.startsWith('connected-site:'))
  expect(stored).toHaveLength(4)
  world.become('unlocked')
  for (let count = 0; count < 4; count += 1) {
    await promptOf(source, 'connect')
    await world.approve(source)
    await vi.waitFor(() => expect(source.sites()).toHaveLength(count + 1), WAITS)
  }
  expect(await Promise.all([frames.at(-1), unknown.at(-1), ...pages])).toEqual(
    Array.from({ length: 4 }, () => undefined),
  )
})

test('2.6 an attempt waits until the user has created a wallet', async () => {
  const world = aWorld()
  world.become('empty')
  const source = world.start()
  const page = world.aPage()
  await page.init()
  const connecting = source.connect(page.state.modal.QRCodeUrl, ORIGIN)
  await vi.waitFor(() => expect(source.waiting()).toBe(1), WAITS)
  expect(source.prompt()).toBeUndefined()
  world.become('unlocked')
  await promptOf(source, 'connect')
  await world.approve(source)
  expect(await connecting).toBeUndefined()
})

test('2.8 a page waits for the votes of a group while other requests are served, and receives the result after a restart and while locked', async () => {
  const world = aWorld()
  const first = world.start()
  const page = await aConnectedPage(world, first, GROUP)
  const proposing = page.sendMessage({ message: TRANSACTION, memo: '7' })
  let isAnswered = false
  void proposing.then(() => {
    isAnswered = true
  })
  await promptOf(first)
  await world.approve(first)
  await vi.waitFor(() => expect(first.decided()).toEqual({ kind: 'send', how: 'proposed' }), WAITS)

  const signing = page.signHexMessage('deadbeef')
  await promptOf(first)
  await world.approve(first)
  expect(await signing).toMatchObject({ valid: true })
  expect(isAnswered).toBe(false)

  await first.stop()
  world.become('locked')
  const second = world.start()
  await second.ready
  await vi.waitFor(() => expect(second.waiting()).toBe(0), WAITS)
  expect(isAnswered).toBe(false)
  world.outcomes.set('7', { txhash: 'EXECUTED', code: 0, rawLog: '' })
  second.wake()
  expect(await proposing).toMatchObject({
    valid: true,
    result: { txResponse: { txhash: 'EXECUTED', code: 0 } },
  })
})

test('2.8 a proposal is followed even if the storage has become full', async () => {
  const world = aDevice()
  onTestFinished(world.close)
  let isFull = false
  const source = world.start({
    store: {
      ...world.store,
      async update(key, change) {
        if (isFull) throw new Refusal('storage-unavailable')
        return world.store.update(key, change)
      },
    },
  })
  const page = await aConnectedPage(world, source, GROUP)
  const proposing = page.sendMessage({ message: TRANSACTION, memo: '7' })
  const prompt = await promptOf(source)
  expect(await source.commit(prompt.id)).toBe(true)
  isFull = true
  if (prompt.kind !== 'act') return expect.fail()
  source.answer(prompt.id, world.carryOut(prompt.id, prompt.request))
  await vi.waitFor(() => expect(source.waiting()).toBe(0), WAITS)
  isFull = false
  world.outcomes.set('7', { txhash: 'EXECUTED', code: 0, rawLog: '' })
  source.wake()
  expect(await proposing).toMatchObject({ valid: true })
})

test('2.8 a page that withdraws its request ends the wait for the votes', async () => {
  const world = aWorld()
  const source = world.start()
  const page = await aConnectedPage(world, source, GROUP)
  const proposing = page.sendMessage({ message: TRANSACTION, memo: '7', customId: 'mine' })
  await promptOf(source)
  await world.approve(source)
  await vi.waitFor(() => expect(source.waiting()).toBe(0), WAITS)
  expect(await page.removePendingMethod('mine')).toMatchObject({ valid: true })
  expect(await proposing).toMatchObject({ valid: false })
  world.outcomes.set('7', { txhash: 'EXECUTED', code: 0, rawLog: '' })
  source.wake()
  expect(source.waiting()).toBe(0)
})

test('2.6 a request is stored before the user is prompted', async () => {
  const world = aWorld()
  const { promise: isStored, resolve } = Promise.withResolvers<void>()
  let waits = false
  const source = world.start({
    store: {
      ...world.store,
      async update(key, change) {
        if (waits) await isStored
        return world.store.update(key, change)
      },
    },
  })
  const page = await aConnectedPage(world, source)
  waits = true
  void page.signHexMessage('00')
  await vi.waitFor(() => expect(source.waiting()).toBe(1), WAITS)
  await world.settled()
  expect(source.prompt()).toBeUndefined()
  expect(world.relay.frames.at(-1)).toMatchObject({ type: 'pub' })
  resolve()
  await promptOf(source)
  await vi.waitFor(() => expect(world.relay.frames.at(-1)).toMatchObject({ type: 'ack' }), WAITS)
})

test('2.6 a request that cannot be stored is refused, because it could be lost', async () => {
  const world = aDevice()
  onTestFinished(world.close)
  let isFull = false
  const source = world.start({
    store: {
      ...world.store,
      async update(key, change) {
        if (isFull) throw new Error('the storage is full')
        return world.store.update(key, change)
      },
    },
  })
  const page = await aConnectedPage(world, source)
  isFull = true
  expect(await page.signHexMessage('00')).toMatchObject({ error: 'Error: Internal error' })
  expect(source.prompt()).toBeUndefined()
  expect(world.reports.length).toBeGreaterThan(0)
})

test('2.6 while the wallet is locked, pages stay connected and requests wait', async () => {
  const world = aWorld()
  const first = world.start()
  const page = await aConnectedPage(world, first)
  world.become('locked')
  await first.stop()
  const source = world.start()
  const signing = page.signHexMessage('00')
  const other = world.aPage()
  await other.init()
  const connecting = source.connect(other.state.modal.QRCodeUrl, undefined)
  await vi.waitFor(() => expect(source.waiting()).toBe(2), WAITS)
  expect(source.prompt()).toBeUndefined()
  expect(source.sites()).toMatchObject([{ acting: { account: { name: ACCOUNT.name } } }])
  world.become('unlocked')
  await promptOf(source)
  await world.approve(source)
  expect(await signing).toMatchObject({ valid: true })
  await promptOf(source, 'connect')
  await world.approve(source)
  expect(await connecting).toBeUndefined()
})

test('protocol 9.4: after a restart, an approved request cannot be withdrawn even while the wallet is locked', async () => {
  const world = aWorld()
  const first = world.start()
  const page = await aConnectedPage(world, first)
  const sending = page.sendMessage({ message: TRANSACTION, memo: 'one', customId: 'tx' })
  const prompt = await promptOf(first)
  expect(await first.commit(prompt.id)).toBe(true)
  if (prompt.kind === 'act') world.carryOut(prompt.id, prompt.request)
  await first.stop()
  world.become('locked')
  world.start()
  expect(await page.removePendingMethod('tx')).toMatchObject({
    error: 'Error: The request is already being carried out',
  })
  world.become('unlocked')
  expect(await sending).toMatchObject({ result: { txResponse: { txhash: 'TX one' } } })
})

test('2.6 the requests of all pages are one queue in order of arrival', async () => {
  const world = aWorld()
  const source = world.start()
  const [one, two] = [await aConnectedPage(world, source), await aConnectedPage(world, source)]
  const contents = ['01', '02', '03']
  const signing = []
  for (const [index, page] of [one, two, one].entries()) {
    signing.push(page.signHexMessage(contents[index] ?? ''))
    await vi.waitFor(() => expect(source.waiting()).toBe(index + 1), WAITS)
  }
  for (const [index, messageHex] of contents.entries()) {
    await vi.waitFor(() => {
      expect(source.prompt()).toMatchObject({ waiting: 3 - index, request: { messageHex } })
    }, WAITS)
    await world.approve(source)
    expect(await signing[index]).toMatchObject({ valid: true })
  }
})

test('protocol 9.4: a withdrawn request is removed, whether it is shown or waits', async () => {
  const world = aWorld()
  const source = world.start()
  const page = await aConnectedPage(world, source)
  const first = page.signHexMessage('01', { customId: 'first' })
  const { id } = await promptOf(source)
  const second = page.signHexMessage('02', { customId: 'second' })
  const third = page.signHexMessage('03')
  await vi.waitFor(() => expect(source.prompt()).toMatchObject({ waiting: 3 }), WAITS)
  await page.removePendingMethod('second')
  await vi.waitFor(() => expect(source.prompt()).toMatchObject({ id, waiting: 2 }), WAITS)
  await page.removePendingMethod('first')
  await vi.waitFor(
    () => expect(source.prompt()).toMatchObject({ request: { messageHex: '03' }, waiting: 1 }),
    WAITS,
  )
  expect(await source.commit(id)).toBe(false)
  await world.approve(source)
  expect(await Promise.all([first, second, third])).toMatchObject([
    { error: 'Error: Request withdrawn' },
    { error: 'Error: Request withdrawn' },
    { valid: true },
  ])
})

test('protocol 6.1: the requests of a page that ends the session are removed, also from storage', async () => {
  const world = aWorld()
  const source = world.start()
  const page = await aConnectedPage(world, source)
  void page.signHexMessage('01')
  await promptOf(source)
  await page.disconnect()
  await vi.waitFor(() => expect(source.prompt()).toBeUndefined(), WAITS)
  await vi.waitFor(() => expect(source.sites()).toEqual([]), WAITS)
  await vi.waitFor(
    () => expect([...world.store.values]).toEqual([['connected-sites', '[]']]),
    WAITS,
  )
})

test('2.6 a hundred requests in a second: 32 of each page wait in order, the others are refused', async () => {
  const world = aWorld()
  const source = world.start()
  const pages = [await aConnectedPage(world, source), await aConnectedPage(world, source)]
  const errors: string[] = []
  const results = Array.from({ length: 100 }, async (_, index) => {
    const result = await pages[index % 2]?.signHexMessage(index.toString(16).padStart(2, '0'))
    if (result?.error !== undefined) errors.push(result.error)
    return result
  })
  await vi.waitFor(() => expect(errors).toHaveLength(36), WAITS)
  expect(new Set(errors)).toEqual(new Set(['Error: Too many requests are waiting for the user']))
  expect(source.waiting()).toBe(64)
  const shown: string[] = []
  for (let decided = 0; decided < 64; decided += 1) {
    const prompt = await vi.waitFor(() => {
      const next = source.prompt()
      if (next?.kind !== 'act' || next.waiting !== 64 - decided) throw new Error('not yet')
      return next
    }, WAITS)
    if (prompt.request.kind === 'sign') shown.push(prompt.request.messageHex)
    await world.approve(source)
  }
  const settled = await Promise.all(results)
  expect(settled.filter((result) => result?.valid)).toHaveLength(64)
  for (const parity of [0, 1]) {
    const own = shown.map((hex) => Number.parseInt(hex, 16)).filter((each) => each % 2 === parity)
    expect(own).toEqual(own.toSorted((one, two) => one - two))
  }
})

test('protocol 14: a code in any encoding is joined, and read twice it connects once', async () => {
  const world = aWorld()
  const source = world.start()
  const page = world.aPage()
  await page.init()
  const code = page.state.modal.QRCodeUrl
  const link = `https://wallet.example/connect?data=${encodeURIComponent(encodeURIComponent(code))}`
  const connecting = [source.connect(code, undefined), source.connect(link, undefined)]
  await promptOf(source, 'connect')
  await world.approve(source)
  expect(await Promise.all(connecting)).toEqual([undefined, undefined])
  expect(await source.connect(encodeURIComponent(code), undefined)).toBeUndefined()
  expect(source.sites()).toMatchObject([{ origin: undefined }])
})

test('protocol 2: invalid codes are refused, and relays that are neither encrypted nor local', async () => {
  const world = aWorld()
  const source = world.start({ isAllowedRelay: undefined })
  const code = (relay: string) =>
    `wc:topic@1?bridge=${encodeURIComponent(relay)}&key=${'ab'.repeat(32)}`
  for (const invalid of ['', 'hello', code('javascript:alert(1)'), 'wc:x@2?bridge=x&key=y']) {
    expect(await source.connect(invalid, undefined), invalid).toBe('code-unreadable')
  }
  for (const relay of ['ws://relay.example', 'http://127.0.0.1.example', 'ws://10.0.0.1']) {
    expect(await source.connect(code(relay), undefined), relay).toBe('relay-unreachable')
  }
  expect([...world.store.values]).toEqual([])
})

test('the relay cannot be reached: the attempt ends with a message and leaves nothing behind', async () => {
  const world = aWorld()
  const source = world.start()
  const page = world.aPage()
  await page.init()
  world.relay.down()
  const connecting = source.connect(page.state.modal.QRCodeUrl, undefined)
  const passing = setInterval(() => world.time.pass(1000))
  expect(await connecting).toBe('relay-unreachable')
  await vi.waitFor(
    () => expect([...world.store.values]).toEqual([['connected-sites', '[]']]),
    WAITS,
  )
  clearInterval(passing)
})

test('protocol 9.5: a declined connection is not connected and not stored', async () => {
  const world = aWorld()
  const source = world.start()
  const page = world.aPage()
  await page.init()
  const connecting = source.connect(page.state.modal.QRCodeUrl, undefined)
  const { id } = await promptOf(source, 'connect')
  source.answer(id, undefined)
  expect(await connecting).toBe('rejected')
  await vi.waitFor(() => expect(page.state.status).toBe('disconnected'), WAITS)
  await vi.waitFor(
    () => expect([...world.store.values]).toEqual([['connected-sites', '[]']]),
    WAITS,
  )
})

test('6.1 a connection that the user ends while offline is ended when the wallet is back', async () => {
  const world = aWorld()
  const first = world.start()
  const page = await aConnectedPage(world, first)
  const [site] = first.sites()
  world.relay.down()
  await world.settled()
  const passing = setInterval(() => world.time.pass(1000))
  await first.disconnect(site?.id ?? '')
  clearInterval(passing)
  expect(first.sites()).toEqual([])
  expect(page.state.connected).toBe(true)
  world.relay.up()
  await first.stop()
  const second = world.start()
  await vi.waitFor(() => {
    world.time.pass(1000)
    expect(page.state.connected).toBe(false)
  }, WAITS)
  await vi.waitFor(
    () => expect([...world.store.values]).toEqual([['connected-sites', '[]']]),
    WAITS,
  )
  expect(second.sites()).toEqual([])
})

test('2.6 removing the wallet ends all connections', async () => {
  const world = aWorld()
  const source = world.start()
  const page = await aConnectedPage(world, source)
  world.become('empty')
  await vi.waitFor(() => expect(page.state.connected).toBe(false), WAITS)
  expect(source.sites()).toEqual([])
})

test('protocol 13: a timeout sent outside the session applies to the connections of that origin', async () => {
  const world = aWorld()
  const source = world.start()
  await aConnectedPage(world, source, {}, 'https://one.example')
  await aConnectedPage(world, source, {}, 'https://two.example')
  source.resetTimeout('https://one.example', 100)
  source.resetTimeout('https://two.example', -1)
  const untils = source.sites().map(({ expiresAt }) => expiresAt - world.time.now())
  expect(untils[0]).toBe(100_000)
  expect(untils[1]).toBeGreaterThan(80_000_000)
  await world.settled()
  await source.stop()
  const again = world.start()
  await again.ready
  expect(again.sites().map(({ expiresAt }) => expiresAt - world.time.now())).toEqual(untils)
})

test('2.6 a twenty-first connection ends the one that was idle for the longest time', async () => {
  const world = aWorld()
  const source = world.start()
  const pages: Awaited<ReturnType<typeof aConnectedPage>>[] = []
  for (let index = 0; index < 21; index += 1) {
    world.time.pass(1000)
    pages.push(await aConnectedPage(world, source))
  }
  await vi.waitFor(() => expect(source.sites()).toHaveLength(20), WAITS)
  await vi.waitFor(() => expect(pages[0]?.state.connected).toBe(false), WAITS)
  expect(pages.slice(1).every(({ state }) => state.connected)).toBe(true)
})

test('2.6 twenty hostile pages cannot fill the storage, and a further one is refused while requests wait in all of them', async () => {
  const world = aWorld()
  const source = world.start()
  const errors = new Set<string | undefined>()
  // Encoded again and again, each of these characters takes 32 in storage.
  const customId = '"'.repeat(800)
  const pages: Awaited<ReturnType<typeof aConnectedPage>>[] = []
  for (let index = 0; index < 20; index += 1) pages.push(await aConnectedPage(world, source))
  for (const page of pages) {
    const sign = async (hex: string) => {
      const { error } = await page.signHexMessage(hex, { customId })
      errors.add(error)
    }
    void sign('00'.repeat(100_000))
    for (let count = 0; count < 20; count += 1) void sign('00')
  }
  await vi.waitFor(() => expect(source.waiting()).toBeGreaterThanOrEqual(20 * 4), WAITS)
  await world.settled()
  expect(errors).toEqual(
    new Set([
      'Error: The request is too large for this wallet',
      'Error: Too many requests are waiting for the user',
    ]),
  )
  const stored = [...world.store.values].reduce(
    (sum, [key, value]) => sum + key.length + JSON.stringify(value).length,
    0,
  )
  // The browser allows 10 MB, and the vault needs its share.
  expect(stored).toBeGreaterThan(2_000_000)
  expect(stored).toBeLessThan(6_000_000)
  const further = world.aPage()
  await further.init({})
  expect(await source.connect(further.state.modal.QRCodeUrl, 'https://21.example')).toBe(
    'wallet-full',
  )
  expect(source.sites()).toHaveLength(20)
})

test('2.6 a connection that the storage has no room for is refused with that reason, and the others stay', async () => {
  const world = aDevice()
  onTestFinished(world.close)
  let isFull = false
  const source = world.start({
    store: {
      ...world.store,
      async update(key, change) {
        if (isFull && key.startsWith('connected-site:')) throw new Refusal('storage-unavailable')
        return world.store.update(key, change)
      },
    },
  })
  const first = await aConnectedPage(world, source)
  const second = world.aPage()
  await second.init({})
  isFull = true
  expect(await source.connect(second.state.modal.QRCodeUrl, undefined)).toBe('wallet-full')
  isFull = false
  expect(source.sites()).toHaveLength(1)
  const signing = first.signHexMessage('00')
  await promptOf(source)
  await world.approve(source)
  expect(await signing).toMatchObject({ valid: true })
})

test('the prompt and the sites are the same objects until something changes', async () => {
  const world = aWorld()
  const source = world.start()
  const page = await aConnectedPage(world, source)
  void page.signHexMessage('00')
  const prompt = await promptOf(source)
  expect(source.prompt()).toBe(prompt)
  expect(source.sites()).toBe(source.sites())
})

test('2.6 a request that was approved before its window was closed is not declined by the next window', async () => {
  const world = aWorld()
  const source = world.start()
  const page = await aConnectedPage(world, source)
  const sending = page.sendMessage({ message: TRANSACTION, memo: 'one' })
  const prompt = await promptOf(source)
  expect(await source.commit(prompt.id)).toBe(true)
  if (prompt.kind !== 'act') return expect.fail()
  world.carryOut(prompt.id, prompt.request)
  source.answer(prompt.id, undefined)
  expect(await sending).toMatchObject({ valid: true, result: { txResponse: { txhash: 'TX one' } } })
})

test.each(['approve', 'decline'] as const)(
  '2.6 a request whose window was closed while it was approved, and whose page then ended the connection, is answered in the next window: %s',
  async (decision) => {
    const world = aWorld()
    const source = world.start()
    const page = await aConnectedPage(world, source)
    void page.signHexMessage('aa')
    const { id } = await promptOf(source)
    expect(await source.commit(id)).toBe(true)
    await page.disconnect()
    await vi.waitFor(() => expect(source.sites()).toEqual([]), WAITS)
    // The window may still be carrying it out.
    expect(source.prompt()?.id).toBe(id)
    if (decision === 'approve') await world.approve(source)
    else source.answer(id, undefined)
    await vi.waitFor(() => expect(source.prompt()).toBeUndefined(), WAITS)
    const next = await aConnectedPage(world, source)
    const signing = next.signHexMessage('bb')
    await promptOf(source)
    await world.approve(source)
    expect(await signing).toMatchObject({ valid: true })
  },
)

test('2.6 an attempt that fails in a second window does not undo the approval of the first', async () => {
  const world = aWorld()
  const source = world.start()
  const page = await aConnectedPage(world, source)
  const sending = page.sendMessage({ message: TRANSACTION, memo: 'one', customId: 'tx' })
  const prompt = await promptOf(source)
  expect(await source.commit(prompt.id)).toBe(true)
  expect(await source.commit(prompt.id)).toBe(true)
  source.release(prompt.id)
  expect(await page.removePendingMethod('tx')).toMatchObject({
    error: 'Error: The request is already being carried out',
  })
  if (prompt.kind === 'act') world.carryOut(prompt.id, prompt.request)
  source.answer(prompt.id, undefined)
  expect(await sending).toMatchObject({ valid: true, result: { txResponse: { txhash: 'TX one' } } })
})

test('2.6 while the outcome is unknown, waking the wallet answers nothing and makes one call to the keeper at a time', async () => {
  const world = aWorld()
  const resultOf = vi.fn<() => Promise<'outcome-unknown'>>(async () => 'outcome-unknown')
  const { promise: isStarted, resolve: start } = Promise.withResolvers<void>()
  const source = world.start({
    keeper: {
      ...world.keeper,
      resultOf: async (id) => {
        if (!id.startsWith(waking)) return world.keeper.resultOf(id)
        await isStarted
        return resultOf()
      },
    },
  })
  let waking = 'nothing yet'
  const page = await aConnectedPage(world, source)
  const signing = page.signHexMessage('aa')
  const { id } = await promptOf(source)
  waking = id
  expect(await source.commit(id)).toBe(true)
  for (let count = 0; count < 100; count += 1) source.wake()
  start()
  await vi.waitFor(() => expect(resultOf).toHaveBeenCalled())
  expect(resultOf).toHaveBeenCalledOnce()
  expect(source.prompt()?.id).toBe(id)
  await world.approve(source)
  expect(await signing).toMatchObject({ valid: true })
})

test('9.4 a page that uses the id of an approved request again gets no result without a prompt', async () => {
  const world = aWorld()
  const source = world.start()
  const page = await aConnectedPage(world, source)
  const toGroup = async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.123456)
    const switching = page.switchToGroup(GROUP.groupAddress)
    random.mockRestore()
    return switching
  }
  const first = toGroup()
  await promptOf(source)
  await world.approve(source)
  expect(await first).toMatchObject({ valid: true })
  const back = page.switchToGroup()
  await promptOf(source)
  await world.approve(source)
  expect(await back).toMatchObject({ valid: true })
  // More answers than the wallet stores.
  for (let count = 0; count < 51; count += 1) await page.removePendingMethod(`none ${count}`)
  const again = toGroup()
  const prompt = await promptOf(source)
  source.wake()
  source.answer(prompt.id, undefined)
  expect(await again).toMatchObject({ valid: false })
  expect(source.sites()).toMatchObject([{ acting: { group: null } }])
})

test('2.6 a connection ends although the storage is full', async () => {
  const device = aDevice()
  onTestFinished(() => device.close())
  const source = device.start()
  const page = await aConnectedPage(device, source)
  const { update } = device.store
  Object.assign(device.store, {
    update: (...[key, change]: Parameters<typeof update>) =>
      update(key, async (stored) => {
        const next = await change(stored)
        if ((next?.length ?? 0) > (stored?.length ?? 0)) throw new Error('QuotaExceededError')
        return next
      }),
  })
  await source.disconnect(source.sites()[0]?.id ?? '')
  expect(source.sites()).toEqual([])
  await vi.waitFor(() => expect(page.state.connected).toBe(false), WAITS)
})
