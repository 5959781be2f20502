import { expect, test, vi } from 'vitest'
import type { BrowserApi } from '../browser-api.ts'
import type { WalletCall, WalletResponse, WalletSnapshot, WorkerMessage } from '../wallet-calls.ts'
import { remoteWallet } from './remote-wallet.ts'

/** A browser that can stop the worker. Messages that it has not answered then wait forever, as they do in Chromium. */
function aBrowser(answer: (call: WalletCall) => (WalletResponse & WorkerMessage) | undefined) {
  const disconnects: (() => void)[] = []
  const ports: ((snapshot: Partial<WalletSnapshot>) => void)[] = []
  const calls: WalletCall[] = []
  const runtime = {
    connect: () => ({
      onMessage: { addListener: (listener: (typeof ports)[number]) => ports.push(listener) },
      disconnect: () => undefined,
      onDisconnect: { addListener: (listener: () => void) => disconnects.push(listener) },
      postMessage: () => undefined,
    }),
    sendMessage(call: WalletCall) {
      calls.push(call)
      const response = answer(call)
      return response === undefined ? new Promise(() => undefined) : Promise.resolve(response)
    },
  }
  // The wallet of a window uses no other part of the browser's interface.
  const { keeper, requests } = remoteWallet({ runtime } as unknown as Pick<BrowserApi, 'runtime'>)
  return { keeper, requests, calls, ports, stopWorker: () => disconnects.at(-1)?.() }
}

test('2.6 an approval that the worker had received when it was stopped is sent to the next one', async () => {
  vi.useFakeTimers()
  const answers = [undefined, { value: { kind: 'sign', signature: '00' }, workerId: 'second' }]
  const { keeper, calls, stopWorker } = aBrowser(() => answers.shift())
  const approved = keeper.approve('approval 1')
  stopWorker()
  expect(await approved).toEqual({ kind: 'sign', signature: '00' })
  expect(calls).toEqual([
    { keeper: 'approve', args: ['approval 1'] },
    { keeper: 'approve', args: ['approval 1'] },
  ])
  vi.useRealTimers()
})

test('2.6 a second account is not created because the worker was stopped', async () => {
  vi.useFakeTimers()
  const { keeper, calls, stopWorker } = aBrowser(() => undefined)
  const created = keeper.create({ name: 'Savings' })
  stopWorker()
  await expect(created).rejects.toMatchObject({ code: 'unreachable' })
  expect(calls).toHaveLength(1)
  vi.useRealTimers()
})

test('2.6 an approval is sent again if the worker was stopped while it started, when its port stays open', async () => {
  vi.useFakeTimers()
  const answers = [undefined, { value: { kind: 'sign', signature: '00' }, workerId: 'second' }]
  const { keeper } = aBrowser(() => answers.shift())
  const approved = keeper.approve('approval 1')
  await vi.advanceTimersByTimeAsync(4000)
  expect(await approved).toEqual({ kind: 'sign', signature: '00' })
  vi.useRealTimers()
})

test('2.6 a window that opened during an update, when all its connections end, closes after a few attempts', async () => {
  vi.useFakeTimers()
  const close = vi.fn<() => void>()
  vi.stubGlobal('window', { close })
  const { stopWorker } = aBrowser(() => undefined)
  for (let failure = 1; failure <= 5; failure += 1) {
    stopWorker()
    expect(close).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(failure * 100)
  }
  stopWorker()
  expect(close).toHaveBeenCalledOnce()
  vi.useRealTimers()
})

test('2.6 a window whose port stayed open after its worker was stopped connects to the worker that answers its calls', async () => {
  vi.useFakeTimers()
  const { keeper, requests, ports, calls } = aBrowser(() => ({ value: null, workerId: 'second' }))
  const vaultChanged = vi.fn<() => void>()
  keeper.subscribe(vaultChanged)
  ports[0]?.({ workerId: 'first', vaultVersion: 1, waiting: 1 })
  expect(vaultChanged).toHaveBeenCalledTimes(1)
  await keeper.lock()
  expect(ports).toHaveLength(2)
  // Until the worker has sent its state, further calls do not interrupt the new connection.
  await keeper.lock()
  expect(ports).toHaveLength(2)
  ports[1]?.({ workerId: 'second', vaultVersion: 1, waiting: 2 })
  expect(requests.waiting()).toBe(2)
  expect(vaultChanged).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(calls.at(-1)).toEqual({ keeper: 'vault', args: [] })
  expect(ports).toHaveLength(2)
  vi.useRealTimers()
})
