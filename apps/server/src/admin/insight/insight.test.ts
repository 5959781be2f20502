import { DAY_MS, INSIGHT_HOURS_KEPT_MS } from '@portico/contracts/limits'
import { expect, test } from 'vitest'
import type { Operator } from '../operators/operators.ts'
import { insightReader } from './insight.ts'

const TODAY = Date.UTC(2030, 5, 30)
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

test.each([
  ['recent', TODAY - 3 * DAY_MS, 'hour', 72],
  ['so old that its hours are deleted', TODAY - INSIGHT_HOURS_KEPT_MS - 3 * DAY_MS, 'day', 3],
  ['after a period of which hours are deleted', TODAY - INSIGHT_HOURS_KEPT_MS + DAY_MS, 'day', 3],
])('7.8 the resolution of a short range that is %s', async (_, from, resolution, length) => {
  const read: string[] = []
  const series = async (table: string) => {
    read.push(table)
    return []
  }
  const { readSeries } = insightReader({
    // Only what a series reads.
    stores: { insight: { series, firstUncounted: async () => undefined } } as never,
    clock: () => TODAY + DAY_MS / 2,
  })
  const operator = { scopeOf: () => ({ all: true }) } as unknown as Operator // Only its scope is read.
  const range = { from: dayOf(from), to: dayOf(from + 2 * DAY_MS) }
  const answer = await readSeries(operator, { metric: 'visits', ...range })
  expect(answer).toMatchObject({ resolution })
  expect(answer.times).toHaveLength(length)
  expect(read).toEqual(Array(2).fill(resolution === 'hour' ? 'insightHours' : 'insightDays'))
})
