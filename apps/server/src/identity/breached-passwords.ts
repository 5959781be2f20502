/**
 * Passwords known from breaches. The 49,000 most common ones and their usual variations are rejected without a lookup. If a
 * lookup URL is configured, all others are looked up there; only five digits of the hash are sent.
 */

import { createHash } from 'node:crypto'
import { SYMBOL_LETTERS } from '@portico/rules/password-words'
import type { Logger } from 'pino'
import { tracedFetch } from '../tracing/tracing.ts'

export type BreachCheck = (password: string) => Promise<boolean>

const TIMEOUT_MS = 2000
const PREFIX_LENGTH = 5
/** The minimum length, without surrounding digits and symbols, to compare: shorter ones occur in too many words. */
const MIN_CORE_LENGTH = 5

let common: Promise<ReadonlySet<string>> | undefined

/**
 * Whether a password is in the breach list that ships with the strength estimator, ignoring case, surrounding digits
 * and symbols, and symbols that replace letters.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map(String)),
  )
  const list = await common
  const lower = password.normalize('NFKC').toLowerCase()
  const core = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const forms = [lower, withLetters(lower), core, withLetters(core)]
  return forms.some((form) => list.has(form) && (form === lower || form.length >= MIN_CORE_LENGTH))
}

const withLetters = (text: string) =>
  text.replace(/[@4310!$57]/g, (symbol) => SYMBOL_LETTERS[symbol] ?? symbol)

/**
 * Looks a password up. If the lookup fails or times out, the password passes: registration must not depend on an
 * external service.
 */
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
      const response = await tracedFetch(`${url}${hash.slice(0, PREFIX_LENGTH)}`, {
        headers: { 'add-padding': 'true' },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!response.ok) throw new Error(`The breach check responded with ${response.status}`)
      const lines = (await response.text()).split('\n')
      return lines.some((line) => {
        const [suffix = '', count = ''] = line.trim().split(':')
        // Padding entries have the count 0.
        return suffix.toUpperCase() === rest && Number(count) > 0
      })
    } catch (error) {
      log.warn({ err: error }, 'breach check failed')
      return false
    }
  }
}
