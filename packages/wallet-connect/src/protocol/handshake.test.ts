import fc from 'fast-check'
import { expect, test } from 'vitest'
import published from '../../vectors/encryption.json' with { type: 'json' }
import reference from '../../vectors/reference.json' with { type: 'json' }
import {
  approvalResult,
  parseHandshakeResponse,
  parseSessionRequest,
  parseSessionUpdate,
  sessionEnd,
  sessionRequest,
  sessionUpdate,
} from './handshake.ts'
import { parseRpc, type ReceivedRequest, rpcSuccess } from './json-rpc.ts'

const NO_METADATA = { name: '', description: '', url: '', icons: [] }
const TERMS = { chainId: 'pio-testnet-1', networkId: 0, accounts: [{}], rpcUrl: '' }

function requestOf(text: string): ReceivedRequest {
  const read = parseRpc(text)
  return read?.kind === 'request' ? read : expect.fail(`no request: ${text}`)
}

function answerOf(text: string) {
  const read = parseRpc(text)
  return read?.kind === 'success' || read?.kind === 'error'
    ? parseHandshakeResponse(read)
    : expect.fail(text)
}

test('protocol 6: the request of the public page library is parsed', () => {
  expect(parseSessionRequest(requestOf(reference.frame.plaintext))).toEqual({
    peerId: '556407cf-90c1-4b57-809e-ae26084700a5',
    peerMeta: {
      description: 'walletconnect-js under jsdom',
      url: 'https://dapp.example',
      icons: ['https://dapp.example/favicon.ico'],
      name: 'Interop Provenance dApp',
    },
    chainId: null,
    redirectUrl: undefined,
  })
})

test('protocol 6: a request may have a numeric network and no metadata', () => {
  const withNumber = published.vectors.find(({ plaintext }) => plaintext.includes('"chainId":1}'))
  expect(parseSessionRequest(requestOf(withNumber?.plaintext ?? ''))?.chainId).toBe(1)
  const bare = requestOf(
    '{"id":1,"method":"wc_sessionRequest","params":[{"peerId":"p","peerMeta":null,"chainId":{}}]}',
  )
  expect(parseSessionRequest(bare)).toEqual({
    peerId: 'p',
    peerMeta: NO_METADATA,
    chainId: null,
    redirectUrl: undefined,
  })
})

test('protocol 6: a request is written with the same fields, and a redirect only if there is one', () => {
  const request = { peerId: 'p', peerMeta: NO_METADATA, chainId: null }
  expect(JSON.parse(JSON.stringify(sessionRequest(9, request)))).toEqual({
    id: 9,
    jsonrpc: '2.0',
    method: 'wc_sessionRequest',
    params: [request],
  })
  expect(
    parseSessionRequest(sessionRequest(9, { ...request, redirectUrl: 'https://a.example/' }))
      ?.redirectUrl,
  ).toBe('https://a.example/')
})

test('protocol 6: an approval round-trips, with the network as string or number', () => {
  for (const chainId of ['pio-testnet-1', 1]) {
    const approval = { ...TERMS, chainId, peerId: 'w', peerMeta: NO_METADATA }
    expect(answerOf(rpcSuccess({ idText: '1' }, approvalResult(approval)))).toEqual({
      kind: 'approved',
      approval,
    })
  }
})

test('protocol 6: an approval may omit network, node URL and metadata', () => {
  const bare =
    '{"id":1,"result":{"approved":true,"chainId":"pio-testnet-1","accounts":["tp1","key","jwt"],"peerId":"w","peerMeta":null,"accountData":null}}'
  expect(answerOf(bare)).toEqual({
    kind: 'approved',
    approval: {
      chainId: 'pio-testnet-1',
      networkId: null,
      accounts: ['tp1', 'key', 'jwt'],
      rpcUrl: null,
      peerId: 'w',
      peerMeta: NO_METADATA,
    },
  })
})

test('protocol 6: both forms of a rejection are one outcome', () => {
  expect(answerOf('{"id":1,"error":{"code":-32000,"message":"Session Rejected"}}')).toEqual({
    kind: 'rejected',
    message: 'Session Rejected',
  })
  expect(answerOf('{"id":1,"result":{"approved":false,"peerId":null,"accounts":[null]}}')).toEqual({
    kind: 'rejected',
    message: 'Session update rejected',
  })
})

test('protocol 6: an approval without a peer id, or a response that is neither, gives undefined', () => {
  for (const result of [{ approved: true }, { approved: 'yes', peerId: 'w' }, {}, null, 7]) {
    expect(answerOf(rpcSuccess({ idText: '1' }, result)), JSON.stringify(result)).toBeUndefined()
  }
})

test('protocol 6.1: an update has the terms without metadata, and round-trips', () => {
  const update = sessionUpdate(3, TERMS)
  expect(update.params).toEqual([{ approved: true, ...TERMS }])
  expect(parseSessionUpdate(update)).toEqual({ kind: 'updated', ...TERMS })
  const bare = {
    method: 'wc_sessionUpdate',
    params: [{ approved: true, chainId: 'pio-testnet-1', accounts: [] }],
  }
  expect(parseSessionUpdate(bare)).toEqual({
    kind: 'updated',
    chainId: 'pio-testnet-1',
    networkId: null,
    accounts: [],
    rpcUrl: null,
  })
})

test('protocol 6.1: an update that is not approved ends the session, with and without a network', () => {
  expect(sessionEnd(3).params).toEqual([
    { approved: false, chainId: null, networkId: null, accounts: null },
  ])
  expect(parseSessionUpdate(sessionEnd(3))).toEqual({ kind: 'ended' })
  const published1 = published.vectors[0] ?? expect.fail()
  expect(parseSessionUpdate(requestOf(published1.plaintext))).toEqual({ kind: 'ended' })
})

test('protocol 6: parsing any message never throws', () => {
  const method = fc.constantFrom('wc_sessionRequest', 'wc_sessionUpdate', 'other')
  fc.assert(
    fc.property(method, fc.array(fc.jsonValue()), fc.jsonValue(), (method, params, result) => {
      parseSessionRequest({ method, params })
      parseSessionUpdate({ method, params })
      parseHandshakeResponse({ kind: 'success', id: 1, idText: '1', result })
    }),
  )
})

test('6.1 an unknown page cannot make a wallet store arbitrarily much', () => {
  const long = 'x'.repeat(1_000_000)
  const parse = (fields: object) =>
    parseSessionRequest({ method: 'wc_sessionRequest', params: [{ peerId: 'page', ...fields }] })
  expect(parse({ peerId: long })).toBeUndefined()
  const peerMeta = { name: long, description: long, url: long, icons: [long, 'a.png'] }
  const request = parse({ peerMeta, chainId: long, redirectUrl: `https://page.example/${long}` })
  expect(request).toEqual({
    peerId: 'page',
    peerMeta: { name: '', description: '', url: '', icons: ['a.png'] },
    chainId: null,
    redirectUrl: undefined,
  })
})
