import { PublishedBanners } from '@portico/contracts/banner'
import { LabelFile, OrganizationFile } from '@portico/contracts/organization-file'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { ExperimentFile } from '../experiments/experiment-file.ts'
import { errorText, fieldErrors, parseData } from './field-errors.ts'

function errorsOf(schema: z.ZodMiniType, value: unknown): readonly string[] {
  return fieldErrors(parseData(schema, value).error?.issues ?? [], 'docs/guide.md').map(errorText)
}

const lender = (changes: object, companyInfo: object = {}) => ({
  orgCode: 'QUINCE',
  orgBrand: 'quince',
  companyInfo: { name: 'Quince', ...companyInfo },
  ...changes,
})

test.each<[object, object, string]>([
  [{ orgBrand: undefined }, {}, 'orgBrand is missing'],
  [{ orgBrand: '' }, {}, 'orgBrand must not be blank'],
  [{ orgBrand: 7 }, {}, 'orgBrand must be a string'],
  [{ orgBrand: 'x'.repeat(41) }, {}, 'orgBrand has 41 characters; the maximum is 40'],
  [
    { brandColor: null },
    {},
    'brandColor must be a string; null removes only fields that may be absent',
  ],
  [{ products: 'all' }, {}, 'products must be a list'],
  [
    { products: Array.from({ length: 51 }, () => ({ code: 'a', name: 'A' })) },
    {},
    'products must have at most 50 entries',
  ],
  [{ pricing: [7] }, {}, 'pricing.0 must be an object in braces'],
  [
    { pricing: [{ productCode: 'a', minimumRatePercent: -1, maximumRatePercent: 5 }] },
    {},
    'pricing.0.minimumRatePercent must be at least 0',
  ],
  [
    { pricing: [{ productCode: 'a', minimumRatePercent: 1, maximumRatePercent: 101 }] },
    {},
    'pricing.0.maximumRatePercent must be at most 100',
  ],
  [{ behaviors: { loginHeading: 'loud' } }, {}, 'behaviors.loginHeading must be standard or heloc'],
  [{ color: 'blue' }, {}, 'color is not a known field; see docs/guide.md for the list'],
  [{}, { badge: 'XYZ' }, 'companyInfo.badge must be EHL, EOL or EHO'],
  [{}, { nameParts: ['Quince'] }, 'companyInfo.nameParts must have at least 2 entries'],
  [{}, { supportEmail: 'help' }, 'companyInfo.supportEmail must be an e-mail address'],
  [{}, { nmlsNumber: 'N1' }, 'companyInfo.nmlsNumber must be digits'],
])('1 a field of an organization file: %j %j', (changes, companyInfo, error) => {
  expect(errorsOf(OrganizationFile, lender(changes, companyInfo))).toEqual([error])
})

test('1 the content of a file as a whole', () => {
  expect(errorsOf(OrganizationFile, [])).toEqual(['the file must be an object in braces'])
  expect(errorsOf(PublishedBanners, {})).toEqual(['the file must be a list'])
})

test.each([OrganizationFile, LabelFile, ExperimentFile, PublishedBanners.def.element])(
  '1 no error shows the wording of the validator',
  (schema) => {
    const fields = Object.keys(schema.shape)
    for (const value of ['', 'x', 'x'.repeat(5000), 7, -1, true, null, [], [7], {}, { a: 1 }]) {
      const content = Object.fromEntries(fields.map((field) => [field, value]))
      for (const error of errorsOf(schema, content)) {
        expect(error).toMatch(/^\S+ (?:must|is missing|is not a known field|has \d)/)
      }
    }
  },
)
