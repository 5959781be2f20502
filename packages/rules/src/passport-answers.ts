/** Validates a passport's answers and hides digits that must not be shown again. */
import {
  formFields,
  formPages,
  HIDDEN_DIGIT,
  type PassportField,
  type PassportFormPage,
  type PassportSection,
} from '@portico/contracts/passport-sections'
import type { PassportStructureType } from '@portico/contracts/passport-status'
import { emailError, type FieldError, phoneError } from './field-errors.ts'

/** Answers by field. */
export type Answers = Readonly<Record<string, string>>

/** The age from which a person can invest. */
const ADULT_YEARS = 18
/** Earlier dates are typos. */
const EARLIEST_YEAR = 1900
/** How many digits of a tax number stay visible. */
const VISIBLE_DIGITS = 4

/** Stands for a tax number that is not valid, so that the form still names the error after the number was saved. */
const HIDDEN_INVALID = HIDDEN_DIGIT

/** A country of ISO 3166. */
const COUNTRY = /^[A-Z]{2}$/

interface Context {
  /** The section's other answers. */
  readonly answers: Answers
  /** Whether files were added as evidence. */
  readonly hasEvidence?: boolean
  /** The current time, in epoch milliseconds. */
  readonly now: number
}

/** The error text under a field, or undefined if the answer is valid. */
export function answerError(field: PassportField, context: Context): FieldError {
  const answer = (context.answers[field.name] ?? '').trim()
  if (answer === '') return field.isOptional ? undefined : emptyError(field)
  switch (field.kind) {
    case 'text':
      return undefined
    case 'choice':
      return field.choices.includes(answer) ? undefined : emptyError(field)
    case 'consent':
      return answer === 'yes' ? undefined : emptyError(field)
    case 'country':
      return COUNTRY.test(answer) ? undefined : emptyError(field)
    case 'date':
      return dateError(field.name, answer, context.now)
    case 'email':
      return emailError(answer)
    case 'phone':
      return phoneError(answer)
    case 'postal-code':
      return postalCodeError(answer, context.answers['country'])
    case 'tax-id':
      return taxIdError(answer, taxCountry(context.answers))
  }
}

function emptyError({ kind }: PassportField): string {
  switch (kind) {
    case 'choice':
    case 'country':
      return 'Please choose an answer.'
    case 'consent':
      return 'Please confirm this to continue.'
    case 'date':
      // Browsers also return an empty value for a partially entered date.
      return 'Please enter the whole date.'
    default:
      return 'Please enter an answer.'
  }
}

function dateError(name: string, answer: string, now: number): FieldError {
  const time = Date.parse(`${answer}T00:00:00Z`)
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(answer) && !Number.isNaN(time)
  if (!isDate || new Date(time).toISOString().slice(0, 10) !== answer) {
    return 'Please enter a date.'
  }
  const year = Number(answer.slice(0, 4))
  if (time > now || year < EARLIEST_YEAR) return 'Please check the year.'
  if (name !== 'birthDate') return undefined
  const today = new Date(now).toISOString().slice(0, 10)
  const comesOfAge = `${year + ADULT_YEARS}${answer.slice(4)}`
  return comesOfAge > today ? `You must be at least ${ADULT_YEARS} years old.` : undefined
}

function postalCodeError(answer: string, country: string | undefined): FieldError {
  const isValid =
    country === 'US'
      ? /^\d{5}(?:-\d{4})?$/.test(answer)
      : /^[\dA-Za-z][\dA-Za-z -]{1,11}$/.test(answer)
  return isValid ? undefined : 'Please enter a valid postal code.'
}

/** The country whose tax number is asked for: of which an individual is a citizen, or where an entity or a trust is. */
const taxCountry = (answers: Answers) => answers['citizenship'] ?? answers['country']

function taxIdError(answer: string, country: string | undefined): FieldError {
  if (isHidden(answer) && answer !== HIDDEN_INVALID) return undefined
  if (country === 'US') {
    return /^\d{9}$/.test(answer.replaceAll(/[ -]/g, '')) ? undefined : 'Please enter nine digits.'
  }
  return /^[\dA-Za-z][\dA-Za-z ./-]{3,29}$/.test(answer)
    ? undefined
    : 'Please enter a valid tax number.'
}

/** The errors of a page's answers by field. Evidence files replace the answers of their page if all of them are empty. */
export function pageErrors(
  { fields, takesEvidence }: PassportFormPage,
  context: Context,
): Readonly<Record<string, string>> {
  const isEmpty = fields.every(({ name }) => !context.answers[name]?.trim())
  if (takesEvidence && context.hasEvidence && isEmpty) return {}
  return Object.fromEntries(
    fields.flatMap((field) => {
      const error = answerError(field, context)
      return error === undefined ? [] : [[field.name, error]]
    }),
  )
}

/** The errors of a section's answers by field. */
export function sectionErrors(
  section: PassportSection,
  type: PassportStructureType,
  context: Context,
): Readonly<Record<string, string>> {
  return Object.assign({}, ...formPages(section, type).map((page) => pageErrors(page, context)))
}

/** Applies changes to answers. Unknown fields, and the hidden numbers that the client was shown, change nothing. */
export function withChanges(
  section: PassportSection,
  type: PassportStructureType,
  { answers, changes }: { readonly answers: Answers; readonly changes: Answers },
): Answers {
  const changed = formFields(section, type).flatMap(({ name }) => {
    const change = Object.hasOwn(changes, name) ? changes[name] : undefined
    return change === undefined || isHidden(change) ? [] : [[name, change.trim()] as const]
  })
  return { ...answers, ...Object.fromEntries(changed) }
}

/** The answers with all but the last digits of tax numbers hidden; of an invalid number, all digits. */
export function withHiddenDigits(
  section: PassportSection,
  type: PassportStructureType,
  answers: Answers,
): Answers {
  const secret = formFields(section, type).filter(({ kind }) => kind === 'tax-id')
  return {
    ...answers,
    ...Object.fromEntries(
      secret.flatMap(({ name }) => {
        const answer = answers[name]
        if (!answer) return []
        const error = taxIdError(answer, taxCountry(answers))
        return [[name, error === undefined ? hideDigits(answer) : HIDDEN_INVALID]]
      }),
    ),
  }
}

/** A tax number with its last digits only; a short one is hidden entirely. */
export function hideDigits(answer: string): string {
  const plain = answer.replaceAll(/[^\dA-Za-z]/g, '')
  const visible = plain.length >= 2 * VISIBLE_DIGITS ? plain.slice(-VISIBLE_DIGITS) : ''
  return `${HIDDEN_DIGIT.repeat(5)}${visible}`
}

export function isHidden(answer: string): boolean {
  return answer.includes(HIDDEN_DIGIT)
}
