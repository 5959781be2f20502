import { afterEach, expect, test, vi } from 'vitest'
import { openSampler } from './sampling.ts'
import { type Span, traced, traceHeaders } from './tracing.ts'

const LOW_ID = `${'1'.repeat(16)}${'0'.repeat(15)}1`
const HIGH_ID = 'f'.repeat(32)
const PARENT = '00f067aa0ba902b7'
const header = (traceId: string, flags: string) => `00-${traceId}-${PARENT}-${flags}`

afterEach(() => vi.useRealTimers())

function aSampler(ratio: number) {
  const spans: Span[] = []
  return { spans, ...openSampler({ ratio, record: (span) => spans.push(span) }) }
}

test.each([
  ['a caller that records', header(HIGH_ID, '01'), 0, true],
  ['a caller that records, with other flags', header(HIGH_ID, 'ff'), 0, true],
  ['a caller that does not record, below the ratio', header(LOW_ID, '00'), 0.01, true],
  ['a caller that does not record, above the ratio', header(HIGH_ID, '00'), 0.99, false],
  ['a ratio of 1', header(HIGH_ID, '00'), 1, true],
])('14 %s', (_case, traceparent, ratio, isRecorded) => {
  const context = aSampler(ratio).ofRequest(traceparent)
  const expected = { traceId: traceparent.slice(3, 35), parentId: PARENT }
  expect(context).toEqual(isRecorded ? expect.objectContaining(expected) : undefined)
  expect(context?.spanId).not.toBe(PARENT)
})

test.each([
  '',
  'x',
  header('0'.repeat(32), '01'),
  `00-${HIGH_ID}-${'0'.repeat(16)}-01`,
  `ff-${HIGH_ID}-${PARENT}-01`,
  `${header(HIGH_ID, '01')}-more`,
  header(HIGH_ID.toUpperCase(), '01'),
  `${header(HIGH_ID, '01')}\r\nx: y`,
])('14 an invalid traceparent is ignored: %j', (traceparent) => {
  expect(aSampler(0).ofRequest(traceparent)).toBeUndefined()
  const context = aSampler(1).ofRequest(traceparent)
  expect(context).toMatchObject({ traceId: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(context?.parentId).toBeUndefined()
})

test('14 clients that claim to record cause at most 100 traces a second', () => {
  vi.useFakeTimers({ now: 0 })
  const { ofRequest } = aSampler(0)
  const recorded = () =>
    Array.from({ length: 1000 }, () => ofRequest(header(HIGH_ID, '01'))).filter(
      (context) => context !== undefined,
    ).length
  expect(recorded()).toBe(100)
  vi.advanceTimersByTime(1000)
  expect(recorded()).toBe(100)
})

test('14 work outside requests gets its own trace, with its steps and the header for the next server', async () => {
  const { startTrace, spans } = aSampler(1)
  const headers = await startTrace('outer', () => traced('inner', async () => traceHeaders()))
  const [inner, outer] = spans
  expect([outer?.name, outer?.parentId]).toEqual(['outer', undefined])
  expect([inner?.name, inner?.parentId, inner?.traceId]).toEqual([
    'inner',
    outer?.spanId,
    outer?.traceId,
  ])
  expect(headers).toEqual({ traceparent: `00-${inner?.traceId}-${inner?.spanId}-01` })
  await expect(startTrace('failing', () => Promise.reject(new Error('x')))).rejects.toThrow('x')
  expect(spans.at(-1)).toMatchObject({ name: 'failing', failed: true })
  expect(traceHeaders()).toEqual({})
})
