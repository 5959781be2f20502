import { expect, test } from 'vitest'
import { undoPngFilters } from './png-filters.ts'

test('PNG 9.2 each filter adds its neighbors', () => {
  const rows = [
    [1, 10, 20, 30], // Sub
    [2, 1, 1, 1], // Up
    [3, 1, 1, 1], // Average
    [4, 1, 1, 1], // Paeth
    [0, 7, 8, 9], // None
  ]
  expect([...(undoPngFilters(Buffer.from(rows.flat()), { row: 3, pixel: 1 }) ?? [])]).toEqual([
    10, 30, 60, 11, 31, 61, 6, 19, 41, 7, 20, 42, 7, 8, 9,
  ])
})

test('PNG 9.2 an unknown filter, and a row longer than the bytes, are refused', () => {
  expect(undoPngFilters(Buffer.from([5, 1]), { row: 1, pixel: 1 })).toBeUndefined()
  const claimed = { row: 1_000_000_000_000, pixel: 1 }
  expect(undoPngFilters(Buffer.from([0, 1]), claimed)).toBeUndefined()
})
