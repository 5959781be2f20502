import { expect, test } from 'vitest'
import { largestLoss } from './funnel.tsx'
import { axisEnd, spreadLabels } from './series.tsx'

test.each([
  [0, 4],
  [4, 4],
  [5, 5],
  [17, 20],
  [301, 400],
  [999, 1000],
])('the axis for values up to %i ends at %i', (largest, end) => {
  expect(axisEnd(largest)).toBe(end)
})

test('labels of lines that end at the same height are below each other', () => {
  expect(spreadLabels([100, 20, 101, 100], 10)).toEqual([100, 20, 120, 110])
})

test('a funnel names the step before which most people are lost, if any are', () => {
  const step = (name: string, count: number) => ({ name, title: name, count })
  expect(largestLoss([step('a', 100), step('b', 90), step('c', 20)])?.name).toBe('c')
  expect(largestLoss([step('a', 5), step('b', 5)])).toBeUndefined()
  expect(largestLoss([])).toBeUndefined()
})
