import { expect, test } from 'vitest'
import { updatedTable } from './updated-table.ts'

const HEAD = '| Figure; its baseline | On | Portico | Measured |\n| --- | --- | --- | --- |'
const table = (...rows: readonly string[]) => [HEAD, ...rows].join('\n')
const CHANGED_ON = '2026-11-20'
const OLD = '2026-11-19, 2 rounds'
const NEW = '2026-11-20, 1 round'

test('10 a new measurement replaces only the same figure on the same database, in its place', () => {
  const earlier = table(
    `| Read; bare | embedded | 1 | ${NEW} |`,
    `| Read; bare | PostgreSQL | 2 | ${NEW} |`,
  )
  const measured = table(
    `| Read; bare | embedded | 3 | ${NEW} |`,
    `| Memory; bare | embedded | 4 | ${NEW} |`,
  )
  expect(updatedTable(`\n${earlier}\n`, measured, CHANGED_ON)).toBe(
    table(
      `| Read; bare | embedded | 3 | ${NEW} |`,
      `| Read; bare | PostgreSQL | 2 | ${NEW} |`,
      `| Memory; bare | embedded | 4 | ${NEW} |`,
    ),
  )
})

test('10 without an earlier table the measured one stands', () => {
  const measured = table(`| Read; bare | embedded | 3 | ${NEW} |`)
  expect(updatedTable('', measured, CHANGED_ON)).toBe(measured)
})

test('12 a row that was measured before the product last changed is marked, once, until it is measured again', () => {
  const row = (measured: string) => `| Read; bare | embedded | 1 | ${measured} |`
  const older = updatedTable(table(row(OLD)), HEAD, CHANGED_ON)
  expect(older).toBe(table(row(`${OLD}, older build`)))
  expect(updatedTable(older, HEAD, CHANGED_ON)).toBe(older)
  expect(updatedTable(older, table(row(NEW)), CHANGED_ON)).toBe(table(row(NEW)))
})
