import { expect, test } from 'vitest'
import { updatedTable } from './updated-table.ts'

const HEAD = '| Figure; its baseline | On | Portico |\n| --- | --- | --- |'
const table = (...rows: readonly string[]) => [HEAD, ...rows].join('\n')

test('10 a new measurement replaces only the same figure on the same database, in its place', () => {
  const earlier = table('| Read; bare | embedded | 1 |', '| Read; bare | PostgreSQL | 2 |')
  const measured = table('| Read; bare | embedded | 3 |', '| Memory; bare | embedded | 4 |')
  expect(updatedTable(`\n${earlier}\n`, measured)).toBe(
    table(
      '| Read; bare | embedded | 3 |',
      '| Read; bare | PostgreSQL | 2 |',
      '| Memory; bare | embedded | 4 |',
    ),
  )
})

test('10 without an earlier table the measured one stands', () => {
  const measured = table('| Read; bare | embedded | 3 |')
  expect(updatedTable('', measured)).toBe(measured)
})
