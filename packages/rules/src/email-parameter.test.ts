import { expect, test } from 'vitest'
import { emailParameter } from './email-parameter.ts'

test.each([
  ['email=ada%2Bloans@example.com', 'ada+loans@example.com'],
  ['email=ada+loans@example.com', 'ada+loans@example.com'],
  ['email=ada+new+loans@example.com', 'ada+new+loans@example.com'],
  ['email=%20ada@example.com', ' ada@example.com'],
  ['email=ada@exa+mple.com', 'ada@exa mple.com'],
  ['email=Ada+Lovelace', 'Ada Lovelace'],
  ['email=', ''],
  ['', ''],
])('3 the email parameter of %j is %j: an unencoded + stays a +', (query, email) => {
  expect(emailParameter(new URLSearchParams(query))).toBe(email)
})
