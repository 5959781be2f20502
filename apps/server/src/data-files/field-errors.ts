/**
 * Parses the content of data files and formats its errors for operators: each names the field and what it must be. A
 * schema's own messages are used as they are; for the others, the validator's messages are replaced.
 */
import type * as z from 'zod/mini'
import { printable } from './printable.ts'

export function parseData<Content>(schema: z.ZodMiniType<Content>, value: unknown) {
  return schema.safeParse(value, { reportInput: true, error: describeIssue })
}

/** An error in a field. */
export interface FieldError {
  /** Its path, such as `companyInfo.termsUrl`; empty for the file as a whole. */
  readonly field: string
  /** Completes a sentence after the field's name: 'must be …'. */
  readonly message: string
}

/** @param guide - the document that describes the fields of these files */
export function fieldErrors(issues: readonly z.core.$ZodIssue[], guide: string): FieldError[] {
  return issues.flatMap((issue) => {
    const field = (...more: readonly PropertyKey[]) => printable([...issue.path, ...more].join('.'))
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: field(key),
        message: `is not a known field; see ${guide} for the list`,
      }))
    }
    const isMissing = issue.code === 'invalid_type' && issue.input === undefined
    return [{ field: field(), message: isMissing ? 'is missing' : issue.message }]
  })
}

/** An error as a sentence that begins with its field. */
export function errorText({ field, message }: FieldError): string {
  return `${field || 'the file'} ${message}`
}

function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing'
  const requirement = requirementOf(issue)
  return issue.input === null
    ? `${requirement}; null removes only fields that may be absent`
    : requirement
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object in braces',
}

function requirementOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${alternatives(issue.values.map(String))}`
    case 'too_small':
      if (issue.origin === 'number') return `must be at least ${issue.minimum}`
      return typeof issue.input === 'string'
        ? 'must not be empty'
        : `must have at least ${issue.minimum} entries`
    case 'too_big':
      if (issue.origin === 'number') return `must be at most ${issue.maximum}`
      return typeof issue.input === 'string'
        ? `has ${issue.input.length} characters; the maximum is ${issue.maximum}`
        : `must have at most ${issue.maximum} entries`
    case 'invalid_format':
      return issue.format === 'email' ? 'must be an e-mail address' : 'is not valid'
    default:
      return 'is not valid'
  }
}

function alternatives(values: readonly string[]): string {
  return values.length < 2
    ? values.join('')
    : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}
