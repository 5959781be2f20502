import { expect, onTestFinished, test, vi } from 'vitest'
import { ACCOUNT, aDevice, TRANSACTION } from './device-requests.testing.ts'
import type { DeviceRequests } from './device-requests.ts'

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
) {
  const page = world.aPage()
  await page.init(options)
  const connecting = source.connect(page.state.modal.QRCodeUrl, 'https://page.example')
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
})

const ORIGIN = 'https://page.example'

test('2.6 the requests of closed pages are withdrawn, and the connection stays', async () => {
  const world = aWorld()
  const source = world.start()
  const page = await aConnectedPage(world, source)
  const [first, second] = [page.signHexMessage('aa'), page.signHexMessage('bb')]
  await promptOf(source)
  await vi.waitFor(() => expect(source.waiting()).toBe(2), WAITS)
  source.withdraw('https://other.example')
  expect(source.waiting()).toBe(2)
  source.withdraw(ORIGIN)
  expect(await first).toMatchObject({ valid: false })
  expect(await second).toMatchObject({ valid: false })
  expect(source.decided()).toEqual({ kind: 'sign', how: 'withdrawn' })
  const third = page.signHexMessage('cc')
  await promptOf(source)
  await world.approve(source)
  expect(await third).toMatchObject({ valid: true })
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
  expect(source.connecting()).toBe(1)
  await world.approve(source)
  expect(await second).toBeUndefined()
  expect(source.connecting()).toBe(0)
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
