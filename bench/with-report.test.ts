import { expect, test } from 'vitest'
import { withReport } from './with-report.ts'

const HEAD = '| Figure; its baseline | On | Portico |\n| --- | --- | --- |'
const report = (name: string, ...rows: readonly string[]) =>
  [`- Command: \`${name}\``, '- Date: today', '', HEAD, ...rows].join('\n')

test('10 a new measurement replaces only the same figure on the same database', () => {
  const first = report('first', '| Read; bare | embedded | 1 |', '| Read; bare | PostgreSQL | 2 |')
  const second = report('second', '| Memory; bare | embedded | 3 |')
  const third = report('third', '| Read; bare | PostgreSQL | 4 |')
  const together = withReport(withReport(`\n${first}\n`, second), third)
  expect(together).toBe(
    [report('first', '| Read; bare | embedded | 1 |'), second, third].join('\n\n'),
  )
})

test('10 a fully replaced report is removed with its header', () => {
  const first = report('first', '| Read; bare | embedded | 1 |')
  const again = report('again', '| Read; bare | embedded | 2 |')
  expect(withReport(first, again)).toBe(again)
  expect(withReport('', again)).toBe(again)
})
