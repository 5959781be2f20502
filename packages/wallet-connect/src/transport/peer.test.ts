import { afterEach, expect, test, vi } from 'vitest'
import { envelopeKey, seal } from '../protocol/envelope.ts'
import { formatFrame } from '../protocol/frame.ts'
import {
  parseRpc,
  type ReceivedRequest,
  rpcError,
  rpcRequest,
  rpcSuccess,
} from '../protocol/json-rpc.ts'
import { openPeer, type Peer } from './peer.ts'
import { fakePorts } from './testing.ts'

// A busy machine may take its time over what is asynchronous; the default is a second.
const WAITS = { timeout: 30_000 }

const KEY = await envelopeKey(new Uint8Array(32).fill(7))
const opened: Peer[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((peer) => peer.close()))
})

function twoPeers() {
  const { relay, time, ports } = fakePorts()
  const heard: ReceivedRequest[] = []
  const open = (topic: string, onRequest: (request: ReceivedRequest) => void) => {
    const peer = openPeer({
      ...ports,
      bridge: 'ws://relay.example',
      key: KEY,
      topics: () => [topic],
      onRequest,
    })
    opened.push(peer)
    return peer
  }
  const page = open('page', (request) => heard.push(request))
  const wallet = open('wallet', (request) => heard.push(request))
  const answer = (text: string) => wallet.send('page', text)
  return { relay, time, page, wallet, heard, answer }
}

test('protocol 5: an answer reaches the one who asked, by its id, also out of order', async () => {
  const { page, heard, answer } = twoPeers()
  const first = page.request('wallet', rpcRequest(1, 'a', []))
  const second = page.request('wallet', rpcRequest(2, 'b', []))
  await vi.waitFor(() => expect(heard.map(({ method }) => method)).toEqual(['a', 'b']), WAITS)
  answer(rpcSuccess({ idText: '2' }, 'two'))
  answer(rpcError({ idText: '1' }, { code: -32000, message: 'No' }))
  expect(await second).toMatchObject({ kind: 'success', result: 'two' })
  expect(await first).toMatchObject({ kind: 'error', message: 'No' })
})

test('protocol 5: an answer is silent, a request wakes the wallet unless it is to be silent', async () => {
  const { relay, page, heard, answer } = twoPeers()
  const asked = page.request('wallet', rpcRequest(1, 'a', []))
  const quiet = page.request('wallet', rpcRequest(2, 'b', []), { silent: true })
  await vi.waitFor(() => expect(heard).toHaveLength(2), WAITS)
  answer(rpcSuccess({ idText: '1' }, 1))
  answer(rpcSuccess({ idText: '2' }, 2))
  await Promise.all([asked, quiet])
  const published = relay.frames.filter(({ type }) => type === 'pub')
  expect(published.map(({ topic, silent }) => [topic, silent])).toEqual([
    ['wallet', false],
    ['wallet', true],
    ['page', true],
    ['page', true],
  ])
})

test('many messages leave and are heard in the order they were sent, though sealing takes its time', async () => {
  const { page, heard } = twoPeers()
  const methods = Array.from({ length: 60 }, (_, index) =>
    index % 7 === 0 ? 'long'.repeat(3000) + index : `m${index}`,
  )
  for (const method of methods) page.send('wallet', JSON.stringify(rpcRequest(1, method, [])))
  await vi.waitFor(() => expect(heard.map(({ method }) => method)).toEqual(methods), WAITS)
})

test('protocol 4: garbage, messages under another key and answers to nothing are dropped without a word', async () => {
  const { relay, page, heard, answer } = twoPeers()
  const asked = page.request('wallet', rpcRequest(1, 'a', []))
  await vi.waitFor(() => expect(heard).toHaveLength(1), WAITS)
  const stranger = await envelopeKey(new Uint8Array(32).fill(8))
  const forged = await seal(stranger, rpcSuccess({ idText: '1' }, 'forged'))
  const nonsense = await seal(KEY, 'not json')
  for (const payload of [forged, nonsense, '{}', '']) {
    relay.inject('page', formatFrame({ topic: 'page', type: 'pub', payload, silent: true }))
  }
  answer(rpcSuccess({ idText: '999' }, 'nobody asked'))
  answer(rpcSuccess({ idText: '1' }, 'true one'))
  answer(rpcSuccess({ idText: '1' }, 'too late'))
  expect(await asked).toMatchObject({ result: 'true one' })
  expect(heard).toHaveLength(1)
})

test('an answer that was given up is no longer heard, and its reason reaches whoever asked', async () => {
  const { page, heard, answer } = twoPeers()
  const patience = new AbortController()
  const asked = page.request('wallet', rpcRequest(1, 'a', []), { signal: patience.signal })
  await vi.waitFor(() => expect(heard).toHaveLength(1), WAITS)
  patience.abort(new Error('took too long'))
  await expect(asked).rejects.toThrow('took too long')
  answer(rpcSuccess({ idText: '1' }, 'late'))
  await expect(
    page.request('wallet', rpcRequest(2, 'b', []), { signal: patience.signal }),
  ).rejects.toThrow('took too long')
})

test('closing tells whoever waits, and a closed peer asks nothing', async () => {
  const { page } = twoPeers()
  const asked = page.request('wallet', rpcRequest(1, 'a', []))
  await Promise.all([expect(asked).rejects.toMatchObject({ code: 'closed' }), page.close()])
  await expect(page.request('wallet', rpcRequest(2, 'b', []))).rejects.toMatchObject({
    code: 'closed',
  })
})

test('protocol 6.1: what was sent before closing still leaves, though it was not sealed yet', async () => {
  const { relay, page, heard } = twoPeers()
  await vi.waitFor(() => expect(relay.connections()).toBe(2), WAITS)
  page.send('wallet', JSON.stringify(rpcRequest(1, 'wc_sessionUpdate', [])))
  await page.close()
  await vi.waitFor(
    () => expect(heard.map(({ method }) => method)).toEqual(['wc_sessionUpdate']),
    WAITS,
  )
})

test('protocol 3.4: a request to a wallet that is away waits at the relay', async () => {
  const { relay, time, page, heard } = twoPeers()
  await vi.waitFor(() => expect(relay.connections()).toBe(2), WAITS)
  relay.down()
  const asked = page.request('wallet', rpcRequest(1, 'a', []))
  void asked.catch(() => undefined)
  await vi.waitFor(() => expect(relay.connections()).toBe(0), WAITS)
  relay.up()
  await vi.waitFor(() => {
    time.pass(1000)
    expect(heard).toHaveLength(1)
  }, WAITS)
  expect(parseRpc(JSON.stringify(rpcRequest(1, 'a', [])))).toEqual(heard[0])
})
