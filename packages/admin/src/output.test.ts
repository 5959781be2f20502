import { expect, test } from 'vitest'
import { plainJson, replaceControlCharacters } from './output.ts'

test('15 JSON for a terminal has no control characters, and loses none', () => {
  const data = { name: 'Ann \u202e\u200d\u{e0041}\u007f', note: 'a\nb' }
  const text = plainJson(data)
  expect(replaceControlCharacters(text)).toBe(text)
  expect(JSON.parse(text)).toEqual(data)
})
