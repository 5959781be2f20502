import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newRpcId, parseRpc, rpcError, rpcRequest, rpcRequestText, rpcSuccess } from './json-rpc.ts'

test('protocol 5: requests, successes and errors are distinguished', () => {
  const request = JSON.stringify(rpcRequest(1, 'provenance_sign', ['{}', 'deadbeef']))
  expect(parseRpc(request)).toMatchObject({
    kind: 'request',
    id: 1,
    method: 'provenance_sign',
    params: ['{}', 'deadbeef'],
  })
  expect(parseRpc('{"id":7,"jsonrpc":"2.0","result":null}')).toMatchObject({
    kind: 'success',
    id: 7,
    result: null,
  })
  expect(parseRpc('{"id":7,"error":{"code":-32000,"message":"No"}}')).toMatchObject({
    kind: 'error',
    code: -32000,
    message: 'No',
  })
})

test('protocol 5: a success must have a result, and every message a numeric id', () => {
  for (const text of [
    '{"id":7,"jsonrpc":"2.0"}',
    '{"id":"7","result":1}',
    '{"id":null,"error":{"code":1,"message":"x"}}',
    '{"method":"x","params":[]}',
    '7',
    '[]',
    'null',
    '{',
    '',
  ]) {
    expect(parseRpc(text), text).toBeUndefined()
  }
})

test('protocol 5: an error without a code or as a plain string is still an error', () => {
  expect(parseRpc('{"id":7,"error":"No"}')).toMatchObject({
    kind: 'error',
    code: -32000,
    message: 'No',
  })
  expect(parseRpc('{"id":7,"error":{}}')).toMatchObject({
    kind: 'error',
    message: 'Internal error',
  })
})

test('protocol 5: an id is repeated as it was written, also above 2^53', () => {
  for (const id of [
    '1',
    '1795212543784529',
    '9223372036854775807',
    '18446744073709551616',
    '-3',
    '9007199254740993.0',
    '1e400',
  ]) {
    const decoys = `"params":[{"id":5,"x":[{"id":6}]},"\\"id\\":8"]`
    for (const text of [
      `{"id":${id},"method":"x",${decoys}}`,
      `{"method":"x",${decoys} , "id" : ${id} }`,
      `{"\\u0069d":${id},"method":"x",${decoys}}`,
    ]) {
      const read = parseRpc(text) ?? expect.fail(text)
      expect(read.idText).toBe(id)
      expect(rpcSuccess(read, { ok: true })).toBe(
        `{"id":${id},"jsonrpc":"2.0","result":{"ok":true}}`,
      )
      expect(rpcError(read, { code: -32601, message: 'Method not found' })).toBe(
        `{"id":${id},"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"}}`,
      )
    }
  }
})

test('protocol 5: a response always has a result, or peers would ignore it', () => {
  expect(parseRpc(rpcSuccess({ idText: '4' }, undefined))).toMatchObject({
    kind: 'success',
    result: null,
  })
})

test('protocol 5: parsing never throws, and messages keep their id', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.jsonValue().map((id) => JSON.stringify({ id, method: 'x' })),
      ),
      (text) => {
        const read = parseRpc(text)
        if (read !== undefined) expect(JSON.parse(read.idText)).toBe(read.id)
      },
    ),
  )
})

test.each(['[', '{"a":'])('protocol 5: a message that nests %s too deeply is ignored', (open) => {
  const nested = (levels: number) => {
    const inside = `${open.repeat(levels)}1${(open === '[' ? ']' : '}').repeat(levels)}`
    return parseRpc(`{"id":1,"method":"x","params":[${inside}]}`)
  }
  // It could be parsed, but serializing it would throw, and the wallet would stop handling messages.
  expect(nested(50_000)).toBeUndefined()
  const read = nested(50)
  expect(read?.kind === 'request' && parseRpc(rpcRequestText(read))).toEqual(read)
})

test('protocol 5: our ids are integers that every parser keeps exactly', () => {
  for (const random of [0, 0.5, 1 - Number.EPSILON])
    expect(newRpcId(() => random)).toSatisfy(Number.isSafeInteger)
  expect(newRpcId(() => 0)).toBeGreaterThan(0)
})
