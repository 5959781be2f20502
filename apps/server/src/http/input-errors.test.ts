import { confirmIdentity } from '@portico/contracts/account-security'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { inputErrors } from './input-errors.ts'

function errorsOf(schema: z.ZodMiniType, input: unknown): readonly string[] {
  return inputErrors(schema.safeParse(input).error?.issues ?? [])
}

test('8 an error names its field; a full sentence is unchanged', () => {
  const schema = z.object({
    size: z.number('must be a number'),
    name: z.string().check(z.maxLength(3, 'Please enter 3 characters at most.')),
  })
  expect(errorsOf(schema, { size: 'x', name: 'long' })).toEqual([
    'size: must be a number',
    'Please enter 3 characters at most.',
  ])
})

test('8 for a union, the errors of the nearest variant are listed', () => {
  expect(errorsOf(confirmIdentity.body, { password: 'x'.repeat(500) })).toEqual([
    expect.stringMatching(/^Please .* characters at most\.$/),
  ])
})

test('8 the number and length of errors are limited', () => {
  const schema = z.array(z.string('x'.repeat(500)))
  const errors = errorsOf(
    schema,
    Array.from({ length: 50 }, () => 1),
  )
  expect(errors).toHaveLength(20)
  expect(errors.every(({ length }) => length === 200)).toBe(true)
})
