import { expect, test } from 'vitest'
import { renderStatic } from '../testing.tsx'
import { BotCheckNotice } from './bot-check-notice.tsx'

test.each([
  ['altcha', 'It involves no third party'],
  ['recaptcha', 'This site is protected by reCAPTCHA and the Google Privacy Policy'],
  ['turnstile', 'This site is protected by Cloudflare Turnstile'],
] as const)('2.3 the notice about %s', (kind, words) => {
  expect(renderStatic(<BotCheckNotice kind={kind} />).text).toContain(words)
})

test('2.3 without a bot check there is no notice', () => {
  expect(renderStatic(<BotCheckNotice kind="off" />).text).toBe('')
})
