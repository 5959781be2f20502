import { Label } from '@portico/contracts/organization'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelOf } from './label.ts'

const of = (query: string) => labelOf(new URLSearchParams(query))

test.each(Label.options)('5 the label %s is valid', (label) => {
  expect(of(`label=${label}`)).toBe(label)
})

test.each(['', 'label=', 'label=Apollo', 'label=other', 'label=apollo%20', 'label=__proto__'])(
  '5 %j has no label',
  (query) => {
    expect(of(query)).toBeNull()
  },
)

test.each([
  ['redirectUrl=%2Floans%3Flabel%3Doutpost', 'outpost'],
  ['redirectUrl=%2Floans%3Fa%3Db%26label%3Doutpost%23top', 'outpost'],
  ['redirectUrl=%2Floans%3Flabel%3Doutpost&label=apollo', 'outpost'],
  ['redirectUrl=%2Floans%3Flabel%3Dother&label=apollo', 'apollo'],
  ['redirectUrl=%2Floans&label=apollo', 'apollo'],
  ['redirectUrl=%2Floans%23label%3Doutpost', null],
  ['redirectUrl=%2Floans%23top%3Flabel%3Doutpost', null],
  ['redirectUrl=%2Floans%3Fnext%3D%2Fa%3Fb%3Dc%26label%3Doutpost', 'outpost'],
  ['redirectUrl=%2Floans%3Flabel%3Doutpost%26label%3Dapollo', 'outpost'],
  // Double-encoded, it is not one of our URLs and has no label.
  ['redirectUrl=%252Floans%253Flabel%253Doutpost', null],
])('5 the label is read from redirectUrl or from its own parameter: %s', (query, label) => {
  expect(of(query)).toBe(label)
})

test('5 any query gives only apollo, hamilton, outpost, novawulf', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (label, redirectUrl) => {
      const found = labelOf(new URLSearchParams({ label, redirectUrl }))
      expect(found === null || Label.options.includes(found)).toBe(true)
    }),
  )
})

test.each([
  'https://partner.example/loans?label=outpost',
  '//partner.example/loans?label=outpost',
  'loans?label=outpost',
  '?label=outpost',
])('5 a label inside the rejected redirect target %s is ignored', (redirectUrl) => {
  expect(labelOf(new URLSearchParams({ redirectUrl }))).toBeNull()
})
