import { expect, test } from 'vitest'
import { readFrame } from './frame.ts'

const TOPIC = 'df3d6f9c-daa5-410d-ad49-55ffe6194a94'

test.each([
  [{ topic: TOPIC, type: 'pub', payload: '{}', silent: true }, true],
  [{ topic: TOPIC, type: 'pub', payload: '{}', silent: false }, false],
  [{ topic: TOPIC, type: 'pub', payload: '{}' }, false],
  [
    { topic: TOPIC, type: 'pub', payload: '{}', silent: 'true', origin: 'https://x.example' },
    false,
  ],
])(
  '7.4 a missing or invalid silent counts as false, and other fields are ignored: %j',
  (frame, silent) => {
    expect(readFrame(JSON.stringify(frame))).toEqual({ topic: TOPIC, type: 'pub', silent })
  },
)

test('7.4 a subscription needs only a topic', () => {
  expect(readFrame(`{"type":"sub","topic":"${TOPIC}"}`)).toMatchObject({ type: 'sub' })
})

test('7.4 an acknowledgement has a topic and no message', () => {
  expect(readFrame(`{"type":"ack","topic":"${TOPIC}","payload":""}`)).toMatchObject({
    topic: TOPIC,
    type: 'ack',
  })
  expect(readFrame('{"type":"ack","payload":""}')).toBeUndefined()
})

test('7.4 unknown types are ignored', () => {
  for (const type of ['batch', '']) {
    expect(readFrame(JSON.stringify({ topic: TOPIC, type }))).toBe('ignored')
  }
})

test.each([
  '',
  '  ',
  '{',
  'null',
  '7',
  '"text"',
  '[]',
  '{}',
  '{"type":"pub"}',
  '{"topic":"","type":"pub"}',
  '{"topic":7,"type":"pub"}',
  `{"topic":"${'x'.repeat(129)}","type":"sub"}`,
  `{"topic":"${TOPIC}"}`,
  '['.repeat(100_000),
  `{"__proto__":{"topic":"${TOPIC}","type":"pub"}}`.slice(1),
])('7.4 an invalid frame is refused: %s', (text) => {
  expect(readFrame(text)).toBeUndefined()
})
