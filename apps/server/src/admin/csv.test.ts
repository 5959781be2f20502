import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['=cmd|"/c calc"!A1', `"'=cmd|""/c calc""!A1"`],
  ['a,b', '"a,b"'],
  ['a\nb', '"a\nb"'],
  ['say "hi"', '"say ""hi"""'],
  ['plain = text', 'plain = text'],
  ['', ''],
  [null, ''],
  [-5, '-5'],
])('the cell %j is written as %j', (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`)
})

test('a line has its cells in order', () => {
  expect(csvLine(['a', 1, null, 'b'])).toBe('a,1,,b\r\n')
})
