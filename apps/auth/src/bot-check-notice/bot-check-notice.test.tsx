import { expect, test } from 'vitest'
import { seen } from '../testing.tsx'
import { BotCheckNotice } from './bot-check-notice.tsx'

test.each([
  ['altcha', 'It uses no third party'],
  ['recaptcha', 'This site is protected by reCAPTCHA and the Google Privacy Policy'],
  ['turnstile', 'This site is protected by Cloudflare Turnstile'],
] as const)('2.3 the notice about %s', (kind, words) => {
  expect(seen(<BotCheckNotice kind={kind} />).text).toContain(words)
})

test('2.3 where no check runs nothing is said', () => {
  expect(seen(<BotCheckNotice kind="off" />).text).toBe('')
})
