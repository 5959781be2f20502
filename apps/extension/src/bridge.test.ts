import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ACKNOWLEDGED } from './page-event.ts'

const EVENT = 'walletEvent'

/** The property that the page reads is this extension's announcement, not another wallet's. */
let isOurs: boolean

/** What the worker received, and how it responds: as given, and then always with an acknowledgement. */
let sent: { readonly event: string }[]
const received = () => sent.map(({ event }) => event)
let responses: (() => Promise<unknown>)[]
let page: { readonly document: EventTarget; readonly window: EventTarget }

const dispatch = (event: string, fields: { readonly uri?: string; readonly data?: number } = {}) =>
  page.document.dispatchEvent(Object.assign(new Event(EVENT), { detail: { event, ...fields } }))

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  sent = []
  responses = []
  isOurs = true
  page = { document: new EventTarget(), window: new EventTarget() }
  page.document.addEventListener('announced wallet', (event) => isOurs && event.preventDefault())
  vi.stubGlobal('ANNOUNCED_EVENT', 'announced')
  vi.stubGlobal('BRIDGE_NAMES', { property: 'wallet', event: EVENT })
  vi.stubGlobal('document', page.document)
  vi.stubGlobal('window', page.window)
  vi.stubGlobal('screen', { availWidth: 1280, availHeight: 800 })
  vi.stubGlobal('portico-wallet-bridge', undefined)
  vi.stubGlobal('chrome', {
    runtime: {
      id: 'extension',
      sendMessage(message: { readonly event: string }) {
        sent.push(message)
        return (responses.shift() ?? (async () => ACKNOWLEDGED))()
      },
    },
  })
  await import('./bridge.ts')
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('2.6 an event is sent again if the browser stopped the worker before it acknowledged it', async () => {
  responses = [
    async () => undefined,
    async () => Promise.reject(new Error('no receiver')),
    () => new Promise(() => undefined),
  ]
  dispatch('walletconnect_init')
  await vi.runAllTimersAsync()
  expect(received()).toEqual(Array.from({ length: 4 }, () => 'walletconnect_init'))
})

test('2.6 events arrive in their order, although the first one is sent again', async () => {
  responses = [async () => undefined]
  dispatch('walletconnect_disconnect')
  dispatch('walletconnect_init')
  await vi.runAllTimersAsync()
  expect(received()).toEqual([
    'walletconnect_disconnect',
    'walletconnect_disconnect',
    'walletconnect_init',
  ])
})

test('2.6 without its extension the script gives up', async () => {
  responses = Array.from({ length: 6 }, () => () => {
    throw new Error('Extension context invalidated.')
  })
  dispatch('walletconnect_init')
  await vi.runAllTimersAsync()
  expect(received()).toHaveLength(6)
})

test('2.6 a page that is left sends one event, without waiting for the worker', async () => {
  dispatch('walletconnect_event')
  await vi.runAllTimersAsync()
  responses = [async () => undefined]
  page.window.dispatchEvent(new Event('pagehide'))
  page.window.dispatchEvent(new Event('pagehide'))
  await vi.runAllTimersAsync()
  expect(received()).toEqual(['walletconnect_event', 'left'])
})

test('protocol 13: events are left to another wallet while the property that the page reads is not ours', async () => {
  isOurs = false
  dispatch('walletconnect_init')
  await vi.runAllTimersAsync()
  expect(received()).toEqual([])
  isOurs = true
  dispatch('walletconnect_init')
  await vi.runAllTimersAsync()
  expect(received()).toEqual(['walletconnect_init'])
})

test('protocol 13: a page that was written for the predecessor starts the wallet by its names', async () => {
  const start = () => {
    const detail = { event: 'walletconnect_init', uri: 'wc:one' }
    page.document.dispatchEvent(Object.assign(new Event('provWalletSendMessage'), { detail }))
  }
  start()
  await vi.runAllTimersAsync()
  expect(received()).toEqual([])
  page.document.addEventListener('announced provenance', (event) => event.preventDefault())
  start()
  await vi.runAllTimersAsync()
  expect(received()).toEqual(['walletconnect_init'])
})

test('2.6 events that arrive while the extension updates reach its next version, once', async () => {
  const { chrome } = globalThis
  const { runtime } = chrome
  responses = [() => Promise.reject(new Error('invalidated'))]
  dispatch('walletconnect_disconnect')
  await vi.advanceTimersByTimeAsync(1)
  Object.assign(chrome, { runtime: undefined })
  dispatch('walletconnect_init', { uri: 'wc:one' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(received()).toEqual(['walletconnect_disconnect'])
  sent = []
  // The next version's script is in a world of its own, with its own browser interface.
  vi.stubGlobal('portico-wallet-bridge', undefined)
  vi.stubGlobal('chrome', { runtime })
  vi.resetModules()
  await import('./bridge.ts')
  await vi.runAllTimersAsync()
  expect(received()).toEqual(['walletconnect_disconnect', 'walletconnect_init'])
  dispatch('walletconnect_event')
  await vi.runAllTimersAsync()
  expect(received()).toEqual([
    'walletconnect_disconnect',
    'walletconnect_init',
    'walletconnect_event',
  ])
})

test('2.6 a page cannot silence the script by saying that it was replaced', async () => {
  page.document.dispatchEvent(new Event('announced replaced'))
  dispatch('walletconnect_event')
  await vi.runAllTimersAsync()
  expect(received()).toEqual(['walletconnect_event'])
})

test('2.6 a page that asks a hundred times and then connects again starts the wallet', async () => {
  for (let count = 0; count < 100; count += 1) {
    dispatch('walletconnect_event')
    dispatch('resetConnectionTimeout', { data: 1000 + count })
  }
  dispatch('walletconnect_init', { uri: 'wc:1' })
  dispatch('walletconnect_init', { uri: 'wc:2' })
  await vi.runAllTimersAsync()
  expect(sent).toMatchObject([
    { event: 'walletconnect_event' },
    { event: 'walletconnect_event' },
    { event: 'resetConnectionTimeout', timeoutMs: 1099 },
    { event: 'walletconnect_init', uri: 'wc:2' },
  ])
})
