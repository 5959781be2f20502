import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { codeDigits, completesCode } from './code.ts'
import { CodeField } from './code-field.tsx'

test('5 passcode fields strip non-digits and cut a pasted value to 6', () => {
  expect(codeDigits('123 456')).toBe('123456')
  expect(codeDigits('12-34-56-78')).toBe('123456')
  expect(codeDigits('Your code is 004217.')).toBe('004217')
  expect(codeDigits('abc')).toBe('')
})

test('5 a passcode is complete once at six digits, and again only when it changed', () => {
  expect(completesCode('12345', '1234')).toBe(false)
  expect(completesCode('123456', '12345')).toBe(true)
  expect(completesCode('123456', '123456')).toBe(false)
  expect(completesCode('654321', '123456')).toBe(true)
})

test('5 passcode fields are one numeric input with one-time-code autocomplete', () => {
  const html = renderToStaticMarkup(<CodeField label="Passcode" name="code" />)
  expect(html.match(/<input/g)).toHaveLength(1)
  expect(html).toContain('inputMode="numeric"')
  expect(html).toContain('autoComplete="one-time-code"')
})

test('5 the length is limited after stripping, so a pasted space drops no digit', () => {
  expect(renderToStaticMarkup(<CodeField label="Passcode" />)).not.toContain('maxLength')
})
