import {
  formFields,
  formPages,
  MAX_FIELDS_PER_PAGE,
  PASSPORT_SECTIONS,
} from '@portico/contracts/passport-sections'
import { PASSPORT_STRUCTURE_TYPES } from '@portico/contracts/passport-status'
import { expect, test } from 'vitest'
import {
  type Answers,
  answerError,
  hideDigits,
  sectionErrors,
  withChanges,
  withHiddenDigits,
} from './passport-answers.ts'

const NOW = Date.parse('2026-06-15T12:00:00Z')

const PERSON: Answers = {
  firstName: 'Iris',
  lastName: 'Individual',
  birthDate: '1984-02-29',
  phone: '(201) 555-0123',
  country: 'US',
  street: '1 Harbor Street',
  city: 'Portland',
  region: 'ME',
  postalCode: '04101',
  citizenship: 'US',
  taxId: '123-45-6789',
}

const errorsOf = (changed: Answers) =>
  sectionErrors('kyc', 'INDIVIDUAL', { answers: { ...PERSON, ...changed }, now: NOW })

test('a page has at most seven fields, and field names are unique in a section', () => {
  for (const type of PASSPORT_STRUCTURE_TYPES) {
    for (const section of PASSPORT_SECTIONS) {
      for (const { fields } of formPages(section, type)) {
        expect(fields.length).toBeLessThanOrEqual(MAX_FIELDS_PER_PAGE)
      }
      const names = formFields(section, type).map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
    }
  }
})

test('complete answers have no errors; missing ones are named', () => {
  expect(errorsOf({})).toEqual({})
  expect(errorsOf({ lastName: '  ', country: '' })).toEqual({
    lastName: 'Please enter an answer.',
    country: 'Please choose an answer.',
  })
  expect(Object.keys(sectionErrors('kyc', 'ENTITY', { answers: {}, now: NOW }))).toHaveLength(13)
})

test.each([
  ['birthDate', '', 'Please enter the whole date.'],
  ['birthDate', '2025-02-29', 'Please enter a date.'],
  ['birthDate', '15/06/1984', 'Please enter a date.'],
  ['birthDate', '2031-01-01', 'Please check the year.'],
  ['birthDate', '1066-10-14', 'Please check the year.'],
  ['birthDate', '2008-06-16', 'You must be at least 18 years old.'],
  ['birthDate', '2008-06-15', undefined],
  ['postalCode', '4101', 'Please enter a valid postal code.'],
  ['postalCode', '04101-1234', undefined],
  ['taxId', '12345678', 'Please enter nine digits.'],
  ['taxId', '123 45 6789', undefined],
  ['taxId', '•••••6789', undefined],
  ['phone', '12', 'Please enter a valid phone number.'],
  ['country', 'USA', 'Please choose an answer.'],
])('%s %j: %s', (name, answer, error) => {
  expect(errorsOf({ [name]: answer })[name]).toBe(error)
})

test('a foreign tax number and postal code are valid in their country', () => {
  expect(
    errorsOf({ country: 'GB', citizenship: 'GB', postalCode: 'SW1A 1AA', taxId: 'QQ 12 34 56 C' }),
  ).toEqual({})
})

test('a consent is yes, and a choice is one of the options', () => {
  const field = { name: 'truthful', kind: 'consent' } as const
  expect(answerError(field, { answers: { truthful: 'no' }, now: NOW })).toBeDefined()
  expect(answerError(field, { answers: { truthful: 'yes' }, now: NOW })).toBeUndefined()
  expect(
    sectionErrors('self-attestation', 'ENTITY', {
      answers: { accreditation: 'income', truthful: 'yes' },
      now: NOW,
    }),
  ).toEqual({ accreditation: 'Please choose an answer.' })
})

test('changes replace answers of known fields only, and a hidden number keeps the stored one', () => {
  const changes = { firstName: ' Ida ', taxId: '•••••6789', toString: 'x', formedOn: '2001-01-01' }
  expect(withChanges('kyc', 'INDIVIDUAL', { answers: PERSON, changes })).toEqual({
    ...PERSON,
    firstName: 'Ida',
  })
  expect(
    withChanges('kyc', 'INDIVIDUAL', { answers: PERSON, changes: { taxId: '' } })['taxId'],
  ).toBe('')
})

test('only the last digits of a tax number are shown again', () => {
  expect(withHiddenDigits('kyc', 'INDIVIDUAL', PERSON)).toEqual({ ...PERSON, taxId: '•••••6789' })
  expect([hideDigits('1234567'), hideDigits('12-3456789')]).toEqual(['•••••', '•••••6789'])
  expect(withHiddenDigits('kyc', 'INDIVIDUAL', {})).toEqual({})
})

test('a tax number that is not valid keeps its error after it was saved, and when the country changes', () => {
  const saved = (answers: Answers) => withHiddenDigits('kyc', 'INDIVIDUAL', answers)
  const errorAfter = (changed: Answers) => errorsOf(saved({ ...PERSON, ...changed }))['taxId']
  expect(errorAfter({})).toBeUndefined()
  expect(errorAfter({ taxId: '12345678' })).toBe('Please enter nine digits.')
  expect(saved({ ...PERSON, taxId: '12345678' })['taxId']).not.toMatch(/\d/)
  const foreign = { citizenship: 'GB', taxId: 'QQ 12 34 56 C' }
  expect(errorAfter(foreign)).toBeUndefined()
  expect(errorAfter({ ...foreign, citizenship: 'US' })).toBe('Please enter nine digits.')
  // The form sends it back with other answers, which changes nothing.
  const answers = { ...PERSON, taxId: '12345678' }
  const changes = saved(answers)
  expect(withChanges('kyc', 'INDIVIDUAL', { answers, changes })).toEqual(answers)
})

test('3c1: a company and a trust are asked whether they were formed to invest, a person is not', () => {
  const asked = PASSPORT_STRUCTURE_TYPES.filter((type) =>
    formFields('3c1', type).some(({ name }) => name === 'formedToInvest'),
  )
  expect(asked).toEqual(PASSPORT_STRUCTURE_TYPES.filter((type) => type !== 'INDIVIDUAL'))
})
