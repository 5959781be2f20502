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

// Longer than the default of one second, for machines under load.
const WAITS = { timeout: 30_000 }

const KEY = await envelopeKey(new Uint8Array(32).fill(7))
const opened: Peer[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((peer) => peer.close()))
})

function twoPeers() {
  const { relay, time, ports } = fakePorts()
  const received: ReceivedRequest[] = []
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
  const page = open('page', (request) => received.push(request))
  const wallet = open('wallet', (request) => received.push(request))
  const answer = (text: string) => wallet.send('page', text)
  return { relay, time, page, wallet, received, answer }
}

test('protocol 5: responses are matched by id, also out of order', async () => {
  const { page, received, answer } = twoPeers()
  const first = page.request('wallet', rpcRequest(1, 'a', []))
  const second = page.request('wallet', rpcRequest(2, 'b', []))
  await vi.waitFor(() => expect(received.map(({ method }) => method)).toEqual(['a', 'b']), WAITS)
  answer(rpcSuccess({ idText: '2' }, 'two'))
  answer(rpcError({ idText: '1' }, { code: -32000, message: 'No' }))
  expect(await second).toMatchObject({ kind: 'success', result: 'two' })
  expect(await first).toMatchObject({ kind: 'error', message: 'No' })
})

test('protocol 5: responses are silent, requests wake the wallet unless marked silent', async () => {
  const { relay, page, received, answer } = twoPeers()
  const response = page.request('wallet', rpcRequest(1, 'a', []))
  const quiet = page.request('wallet', rpcRequest(2, 'b', []), { silent: true })
  await vi.waitFor(() => expect(received).toHaveLength(2), WAITS)
  answer(rpcSuccess({ idText: '1' }, 1))
  answer(rpcSuccess({ idText: '2' }, 2))
  await Promise.all([response, quiet])
  const published = relay.frames.filter(({ type }) => type === 'pub')
  expect(published.map(({ topic, silent }) => [topic, silent])).toEqual([
    ['wallet', false],
    ['wallet', true],
    ['page', true],
    ['page', true],
  ])
})

test('messages are sent and handled in order, although encryption is asynchronous', async () => {
  const { page, received } = twoPeers()
  const methods = Array.from({ length: 60 }, (_, index) =>
    index % 7 === 0 ? 'long'.repeat(3000) + index : `m${index}`,
  )
  for (const method of methods) page.send('wallet', JSON.stringify(rpcRequest(1, method, [])))
  await vi.waitFor(() => expect(received.map(({ method }) => method)).toEqual(methods), WAITS)
})

test('protocol 4: garbage, messages under another key and unmatched responses are dropped silently', async () => {
  const { relay, page, received, answer } = twoPeers()
  const response = page.request('wallet', rpcRequest(1, 'a', []))
  await vi.waitFor(() => expect(received).toHaveLength(1), WAITS)
  const otherKey = await envelopeKey(new Uint8Array(32).fill(8))
  const forged = await seal(otherKey, rpcSuccess({ idText: '1' }, 'forged'))
  const nonsense = await seal(KEY, 'not json')
  for (const payload of [forged, nonsense, '{}', '']) {
    relay.inject('page', formatFrame({ topic: 'page', type: 'pub', payload, silent: true }))
  }
  answer(rpcSuccess({ idText: '999' }, 'unsolicited'))
  answer(rpcSuccess({ idText: '1' }, 'genuine'))
  answer(rpcSuccess({ idText: '1' }, 'too late'))
  expect(await response).toMatchObject({ result: 'genuine' })
  expect(received).toHaveLength(1)
})

test('a response to an aborted request is ignored, and the request rejects with the reason', async () => {
  const { page, received, answer } = twoPeers()
  const abort = new AbortController()
  const response = page.request('wallet', rpcRequest(1, 'a', []), { signal: abort.signal })
  await vi.waitFor(() => expect(received).toHaveLength(1), WAITS)
  abort.abort(new Error('took too long'))
  await expect(response).rejects.toThrow('took too long')
  answer(rpcSuccess({ idText: '1' }, 'late'))
  await expect(
    page.request('wallet', rpcRequest(2, 'b', []), { signal: abort.signal }),
  ).rejects.toThrow('took too long')
})

test('protocol 3.3: a request that was refused is acknowledged after the refusal was sent', async () => {
  const { relay, ports } = fakePorts()
  const open = (topic: string, onRequest: (request: ReceivedRequest) => void) => {
    const acknowledge = 'when-handled' as const
    const bridge = 'ws://relay.example'
    const peer = openPeer({
      ...ports,
      bridge,
      key: KEY,
      topics: () => [topic],
      onRequest,
      acknowledge,
    })
    opened.push(peer)
    return peer
  }
  const page = open('page', () => undefined)
  const refusal = { code: -32000, message: 'No' }
  const wallet = open('wallet', ({ idText }) => wallet.send('page', rpcError({ idText }, refusal)))
  const ofWallet = () =>
    relay.frames
      .filter(({ type, topic }) => (type === 'pub' ? topic === 'page' : topic === 'wallet'))
      .map(({ type }) => type)
  await vi.waitFor(() => expect(ofWallet()).toEqual(['ack', 'sub']), WAITS)
  expect(await page.request('wallet', rpcRequest(1, 'a', []))).toMatchObject(refusal)
  await vi.waitFor(() => expect(ofWallet()).toEqual(['ack', 'sub', 'pub', 'ack']), WAITS)
})

test('closing rejects pending requests, and a closed peer rejects new ones', async () => {
  const { page } = twoPeers()
  const response = page.request('wallet', rpcRequest(1, 'a', []))
  await Promise.all([expect(response).rejects.toMatchObject({ code: 'closed' }), page.close()])
  await expect(page.request('wallet', rpcRequest(2, 'b', []))).rejects.toMatchObject({
    code: 'closed',
  })
})

test('protocol 6.1: messages sent before closing are still delivered, even if not yet encrypted', async () => {
  const { relay, page, received } = twoPeers()
  await vi.waitFor(() => expect(relay.connections()).toBe(2), WAITS)
  page.send('wallet', JSON.stringify(rpcRequest(1, 'wc_sessionUpdate', [])))
  await page.close()
  await vi.waitFor(
    () => expect(received.map(({ method }) => method)).toEqual(['wc_sessionUpdate']),
    WAITS,
  )
})

test('protocol 3.4: a request to an offline wallet is queued at the relay', async () => {
  const { relay, time, page, received } = twoPeers()
  await vi.waitFor(() => expect(relay.connections()).toBe(2), WAITS)
  relay.down()
  const response = page.request('wallet', rpcRequest(1, 'a', []))
  void response.catch(() => undefined)
  await vi.waitFor(() => expect(relay.connections()).toBe(0), WAITS)
  relay.up()
  await vi.waitFor(() => {
    time.pass(1000)
    expect(received).toHaveLength(1)
  }, WAITS)
  expect(parseRpc(JSON.stringify(rpcRequest(1, 'a', [])))).toEqual(received[0])
})
