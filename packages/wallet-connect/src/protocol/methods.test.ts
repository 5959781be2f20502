import { base64Of, bytesOfBase64, bytesOfHex } from '@portico/keys/bytes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import messages from '../../vectors/any-messages.json' with { type: 'json' }
import reference from '../../vectors/reference.json' with { type: 'json' }
import { anyBase64, anyParameter, readAny, readAnyBase64, readAnyParameter } from './any-message.ts'
import { RPC_ERRORS } from './errors.ts'
import {
  parseWalletRequest,
  sendTransactionRequest,
  signRequest,
  walletActionRequest,
} from './methods.ts'

const METADATA = { id: 1, description: 'Sign Message', address: 'tp1', date: 1795211091626 }
const sign = (...params: unknown[]) => parseWalletRequest({ method: 'provenance_sign', params })
const send = (...params: unknown[]) =>
  parseWalletRequest({ method: 'provenance_sendTransaction', params })
const act = (metadata: object) =>
  parseWalletRequest({ method: 'wallet_action', params: [JSON.stringify(metadata)] })

test('protocol 9.1: a sign request is metadata as a JSON text, then hex without 0x', () => {
  const request = signRequest({ ...METADATA, hex: 'deadbeef', customId: 'sign-1' })
  expect(request).toEqual({
    id: 1,
    jsonrpc: '2.0',
    method: 'provenance_sign',
    params: [
      '{"description":"Sign Message","address":"tp1","date":1795211091626,"customId":"sign-1"}',
      'deadbeef',
    ],
  })
  expect(parseWalletRequest(request)).toEqual({
    kind: 'sign',
    description: 'Sign Message',
    address: 'tp1',
    date: 1795211091626,
    customId: 'sign-1',
    redirectUrl: undefined,
    bytes: bytesOfHex('deadbeef'),
  })
})

test('protocol 9: absent optional keys are not written', () => {
  expect(signRequest({ ...METADATA, hex: '00' }).params[0]).not.toContain('customId')
})

test('protocol 9: every hex parameter may begin with 0x', () => {
  expect(sign('{}', '0xDEADbeef')).toMatchObject({ kind: 'sign', bytes: bytesOfHex('deadbeef') })
  const { b64 } = reference.send
  expect(send('{}', anyParameter(b64).slice(2))).toEqual(send('{}', anyParameter(b64)))
})

test("protocol 9: a redirect URL may be a web URL or an app's scheme, never a script", () => {
  const signWithRedirect = (redirectUrl: unknown) => sign(JSON.stringify({ redirectUrl }), '00')
  expect(signWithRedirect('https://dapp.example/back')).toMatchObject({
    redirectUrl: 'https://dapp.example/back',
  })
  expect(signWithRedirect('lender://back')).toMatchObject({ redirectUrl: 'lender://back' })
  for (const harmful of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' data:text/html,x',
    'blob:https://a/b',
    'file:///etc',
    'back',
    '',
    7,
  ]) {
    expect(signWithRedirect(harmful), String(harmful)).toMatchObject({
      kind: 'sign',
      redirectUrl: undefined,
    })
  }
})

test('protocol 9.3: the published messages are parsed and reproduced byte by byte', () => {
  for (const { b64, typeUrl } of [...messages.vectors, reference.send]) {
    const message = readAnyBase64(b64) ?? expect.fail(typeUrl)
    expect(message.typeUrl).toBe(typeUrl)
    expect(anyBase64(message)).toBe(b64)
    expect(readAnyParameter(anyParameter(b64))).toEqual(message)
  }
  expect(anyParameter(reference.send.b64).startsWith(reference.send.parameterBegins)).toBe(true)
})

test('protocol 9.3: a transaction has all its messages and terms', () => {
  const [one, two] = messages.vectors.map(({ b64 }) => b64)
  const terms = {
    gasPrice: { gasPrice: 1905, gasPriceDenom: 'nhash' },
    feeGranter: 'tp1g',
    feePayer: 'tp1p',
    memo: 'memo',
    timeoutHeight: 7,
  }
  const request = sendTransactionRequest({
    ...METADATA,
    ...terms,
    customId: 'tx-1',
    messages: [one ?? '', two ?? ''],
    extensionOptions: [one ?? ''],
    nonCriticalExtensionOptions: [two ?? ''],
  })
  expect(request.params).toHaveLength(3)
  expect(parseWalletRequest(request)).toMatchObject({
    kind: 'sendTransaction',
    ...terms,
    customId: 'tx-1',
    messages: messages.vectors.map(({ typeUrl }) => ({ typeUrl })),
    extensionOptions: [one],
    nonCriticalExtensionOptions: [messages.vectors[1]?.b64],
  })
})

test('protocol 9.4: both wallet actions are parsed', () => {
  const payload = { address: 'tp1group' }
  const described = { id: 1, description: 'Send Wallet Action', date: 5 }
  expect(
    parseWalletRequest(walletActionRequest({ ...described, action: 'switchToGroup', payload })),
  ).toMatchObject({ kind: 'walletAction', action: 'switchToGroup', groupAddress: 'tp1group' })
  expect(
    parseWalletRequest(walletActionRequest({ ...described, action: 'switchToGroup' })),
  ).toMatchObject({ action: 'switchToGroup', groupAddress: undefined })
  expect(
    parseWalletRequest(
      walletActionRequest({
        ...described,
        action: 'removePendingMethod',
        payload: { customId: 'tx-1' },
      }),
    ),
  ).toMatchObject({ action: 'removePendingMethod', pendingId: 'tx-1' })
})

test('protocol 9.4: an invalid group is an error, not a switch back to the individual', () => {
  expect(act({ action: 'switchToGroup', payload: null })).toMatchObject({ groupAddress: undefined })
  for (const payload of [{}, { address: '' }, { address: 7 }, 'tp1group', []]) {
    expect(act({ action: 'switchToGroup', payload })).toEqual({
      kind: 'unreadable',
      error: RPC_ERRORS.invalidParams,
    })
  }
})

test('protocol 9.4: an unknown method or action is not found', () => {
  const notFound = { kind: 'unknown', error: { code: -32601, message: 'Method not found' } }
  expect(parseWalletRequest({ method: 'eth_sign', params: [] })).toEqual(notFound)
  expect(act({ action: 'dance' })).toEqual(notFound)
  expect(act({})).toEqual(notFound)
})

test('protocol 9.5: unreadable metadata is a parse error, invalid parameters are invalid params', () => {
  expect(sign('{', 'deadbeef')).toEqual({ kind: 'unreadable', error: RPC_ERRORS.parseError })
  expect(sign()).toEqual({ kind: 'unreadable', error: RPC_ERRORS.parseError })
  const invalid = { kind: 'unreadable', error: RPC_ERRORS.invalidParams }
  for (const hex of [undefined, '', '0x', '0', 'abc', 'xyz', '0x0x00', 7])
    expect(sign('{}', hex), String(hex)).toEqual(invalid)
  expect(sign('7', 'deadbeef')).toEqual(invalid)
  expect(send('{}')).toEqual(invalid)
  expect(send('{}', '0x00')).toEqual(invalid)
  expect(send('{}', anyParameter(reference.send.b64), '0x00')).toEqual(invalid)
})

test('protocol 9.3: terms that decide what a transaction costs are never dropped silently', () => {
  const message = anyParameter(reference.send.b64)
  for (const terms of [
    { gasPrice: '5nhash' },
    { gasPrice: { gasPrice: -1, gasPriceDenom: 'nhash' } },
    { feePayer: 7 },
    { memo: {} },
    { timeoutHeight: 'soon' },
    { extensionOptions: 'x' },
  ]) {
    expect(send(JSON.stringify(terms), message), JSON.stringify(terms)).toMatchObject({
      kind: 'unreadable',
    })
  }
})

test('protocol 9: parsing any request never throws', () => {
  const method = fc.constantFrom(
    'provenance_sign',
    'provenance_sendTransaction',
    'wallet_action',
    '__proto__',
  )
  const hex = fc.string({ unit: fc.constantFrom('0', '1', '9', 'a', 'f') })
  const prefixed = hex.map((digits) => `0x${digits}`)
  const parameter = fc.oneof(fc.jsonValue(), fc.json(), hex, prefixed)
  fc.assert(
    fc.property(
      method,
      fc.array(parameter),
      (method, params) => void parseWalletRequest({ method, params }),
    ),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => void readAny(bytes)),
    { numRuns: 500 },
  )
})

test('protocol 9.3: a message with any bytes round-trips', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.uint8Array({ maxLength: 300 }),
      (typeUrl, value) => {
        const read = readAnyBase64(anyBase64({ typeUrl, value }))
        expect(read?.typeUrl).toBe(typeUrl)
        expect(base64Of(read?.value ?? Uint8Array.of(1))).toBe(base64Of(value))
      },
    ),
  )
  expect(bytesOfBase64(anyBase64({ typeUrl: '/a', value: Uint8Array.of(1) }))).toHaveLength(7)
})
