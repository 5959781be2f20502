/**
 * Passwords that are known from breaches. The most common ones are refused always; the rest are looked up, where an
 * address is configured, without telling which one it is: only five digits of its hash leave us.
 */
import { createHash } from 'node:crypto'
import type { Logger } from 'pino'

/** Whether a password is known from a breach. */
export type BreachCheck = (password: string) => Promise<boolean>

const TIMEOUT_MS = 2000
const PREFIX_LENGTH = 5
const COMMON_LOOKED_AT = 1000

let common: Promise<ReadonlySet<string>> | undefined

/** Whether a password is among those that the strength estimator's own dictionary ranks highest. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].slice(0, COMMON_LOOKED_AT).map(String)),
  )
  return (await common).has(password.toLowerCase())
}

/** The lookup; one that fails or takes too long lets the password pass, since a lender must not depend on it. */
export function breachCheck(needs: {
  readonly url: string | undefined
  readonly log: Logger
}): BreachCheck {
  const { url, log } = needs
  if (url === undefined) return async () => false
  return async (password) => {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
    const rest = hash.slice(PREFIX_LENGTH)
    try {
      const response = await fetch(`${url}${hash.slice(0, PREFIX_LENGTH)}`, {
        headers: { 'add-padding': 'true' },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!response.ok) throw new Error(`The breach check answered ${response.status}`)
      const lines = (await response.text()).split('\n')
      return lines.some((line) => {
        const [suffix = '', count = ''] = line.trim().split(':')
        // Padding has the count 0.
        return suffix.toUpperCase() === rest && Number(count) > 0
      })
    } catch (error) {
      log.warn({ err: error }, 'breach check not made')
      return false
    }
  }
}
