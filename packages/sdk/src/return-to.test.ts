import { expect, test } from 'vitest'
import { safeReturnTo } from './return-to.ts'

test.each(['/', '/loan', '/loan/7?tab=payments#next', '/%2f%2fevil.example', '/a/../loan'])(
  '%s is a path of this application',
  (text) => {
    const { origin, href } = new URL(safeReturnTo(text), 'https://app.lender.example')
    expect(origin).toBe('https://app.lender.example')
    expect(href).toBe(new URL(text, 'https://app.lender.example').href)
  },
)

test.each([
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  'loan',
  '',
  `/${'a'.repeat(2000)}`,
  undefined,
  null,
])('%j does not lead elsewhere', (text) => {
  expect(safeReturnTo(text)).toBe('/')
})
