import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatFrame, parseFrame } from './frame.ts'

test('protocol 3.2: a frame is one JSON object with topic, type, payload and silent', () => {
  const frame = { topic: 'a', type: 'pub', payload: '{}', silent: true } as const
  expect(formatFrame(frame)).toBe('{"topic":"a","type":"pub","payload":"{}","silent":true}')
  expect(parseFrame(formatFrame(frame))).toEqual(frame)
})

test('protocol 3.2: a missing silent means false, and unknown fields are ignored', () => {
  const text = '{"topic":"a","type":"sub","origin":"https://dapp.example"}'
  expect(parseFrame(text)).toEqual({ topic: 'a', type: 'sub', payload: '', silent: false })
})

test('protocol 3.4: invalid JSON, blank text and invalid frames are ignored', () => {
  for (const text of [
    '',
    ' ',
    'pong',
    'null',
    '[]',
    '{}',
    '{"topic":"a","type":"del"}',
    '{"topic":1,"type":"pub"}',
    '{"topic":"a","type":"pub","payload":{}}',
  ]) {
    expect(parseFrame(text), text).toBeUndefined()
  }
})

test('protocol 3.2: parsing never throws', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseFrame(text)))
})
