import { emailAddress } from '@portico/contracts/email-address'
import { redirectTarget } from '@portico/rules/redirect-target'
import { expect, test } from 'vitest'

test('resources: the time to parse an address or a redirect target is linear in its length', () => {
  // Eight times the length takes a linear algorithm eight times as long, a quadratic one sixty-four times.
  const [short, long] = [30, 240]
  const devious: Record<
    string,
    readonly [look: (text: string) => unknown, text: (n: number) => string]
  > = {
    'a local part without end': [emailAddress, (n) => 'a'.repeat(n)],
    'dots without end': [emailAddress, (n) => 'a.'.repeat(n / 2)],
    'a domain of many labels': [emailAddress, (n) => `a@${'a.'.repeat(n / 2)}!`],
    'a domain of hyphens': [emailAddress, (n) => `a@${'a-'.repeat(n / 2)}`],
    'a label without end': [emailAddress, (n) => `a@${'a'.repeat(n)}`],
    'at signs': [emailAddress, (n) => 'a@'.repeat(n / 2)],
    'blanks around it': [emailAddress, (n) => `${' '.repeat(n)}a`],
    slashes: [redirectTarget, (n) => `/${'/'.repeat(n * 8)}`],
    'dot segments': [redirectTarget, (n) => `/${'a/../'.repeat((n * 8) / 5)}`],
    'percent signs': [redirectTarget, (n) => `/${'%25'.repeat((n * 8) / 3)}`],
    'circular words': [redirectTarget, (n) => `/auth/login${'/login'.repeat((n * 8) / 6)}`],
  }
  const timeOf = (look: (text: string) => unknown, text: string) => {
    const rounds = Array.from({ length: 9 }, () => {
      const began = performance.now()
      for (let each = 0; each < 300; each += 1) look(text)
      return performance.now() - began
    })
    return Math.min(...rounds)
  }
  for (const [what, [look, text]] of Object.entries(devious)) {
    timeOf(look, text(long))
    const ratio = timeOf(look, text(long)) / timeOf(look, text(short))
    expect(ratio, what).toBeLessThan(24)
    // Oversized input is refused unread, so a thousand times the length costs nothing more.
    expect(timeOf(look, text(300_000)), what).toBeLessThan(timeOf(look, text(long)) * 24)
  }
})
