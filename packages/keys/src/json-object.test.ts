import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJsonObject } from './json-object.ts'

test('3 every JSON object is parsed', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (object, indent) => {
      const text = JSON.stringify(object, undefined, indent)
      expect(parseJsonObject(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('3 a duplicate name is refused, whatever is in between', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (name, one, other) => {
      const [key, first, second] = [name, one, other].map((value) => JSON.stringify(value))
      expect(parseJsonObject(`{${key}:${first},${key}:${second}}`)).toBeUndefined()
      expect(parseJsonObject(`{"in":{${key}:${first}},"out":{${key}:${second}}}`)).toBeDefined()
    }),
  )
})

test('3 an escaped name is the same name', () => {
  expect(parseJsonObject(String.raw`{"addr":"a","\u0061ddr":"b"}`)).toBeUndefined()
})

test.each(['', '[]', 'null', '"{}"', '1', '{', '{}{}', "{'a':1}", '\uFEFF{}'])(
  '3 %j is not a JSON object',
  (text) => {
    expect(parseJsonObject(text)).toBeUndefined()
  },
)
