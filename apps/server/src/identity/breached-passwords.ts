/**
 * Passwords that are known from breaches. The 49,000 most common ones, and what people make of them to satisfy a rule, are
 * refused offline. All others are looked up where an address is configured: only five digits of the hash are sent.
 */
import { createHash } from 'node:crypto'
import type { Logger } from 'pino'

/** Whether a password is known from a breach. */
export type BreachCheck = (password: string) => Promise<boolean>

const TIMEOUT_MS = 2000
const PREFIX_LENGTH = 5
/** What remains without digits and signs around it must be this long to be compared: less is part of too many words. */
const CORE_LENGTH_MINIMUM = 5
/** Signs that stand for letters. */
const LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

let common: Promise<ReadonlySet<string>> | undefined

/**
 * Whether a password is in the list of breached passwords that ships with the strength estimator: as it is, or in another
 * case, with digits and signs around it, or with signs in place of letters.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map(String)),
  )
  const list = await common
  const lower = password.normalize('NFKC').toLowerCase()
  const core = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const forms = [lower, inLetters(lower), core, inLetters(core)]
  return forms.some(
    (form) => list.has(form) && (form === lower || form.length >= CORE_LENGTH_MINIMUM),
  )
}

const inLetters = (text: string) => text.replace(/[@4310!$57]/g, (sign) => LETTERS[sign] ?? sign)

/** The lookup; one that fails or takes too long lets the password pass, since a lender must not depend on it. */
export function breachCheck(deps: {
  readonly url: string | undefined
  readonly log: Logger
}): BreachCheck {
  const { url, log } = deps
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
