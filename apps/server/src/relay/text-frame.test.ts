import { expect, test } from 'vitest'
import { textFrame } from './text-frame.ts'

/** Splits a frame into header and text. */
function parts(text: string) {
  const frame = textFrame(text)
  const bytes = Buffer.byteLength(text)
  const head = frame.length - bytes
  return { head: frame.subarray(0, head).toString('hex'), text: frame.subarray(head).toString() }
}

test.each([
  ['', '8100'],
  ['x'.repeat(125), '817d'],
  ['x'.repeat(126), '817e007e'],
  ['x'.repeat(65_535), '817effff'],
  ['x'.repeat(65_536), '817f0000000000010000'],
])('protocol 3.2 a text follows its length (%#)', (text, head) => {
  expect(parts(text)).toEqual({ head, text })
})

test('protocol 3.2 the length of a text is counted in bytes', () => {
  const text = '🚪é'.repeat(21)
  expect(parts(text)).toEqual({ head: '817e007e', text })
})
