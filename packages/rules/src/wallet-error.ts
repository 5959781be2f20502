/** The text that a user reads about an error of a wallet or of the chain. Both may send anything, so their own words are cut and quoted. */
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { escapeInvisible } from '@portico/contracts/text'
import { chainErrorCode } from './chain-error.ts'

/** Enough for a sentence, too little for a page of its own. */
const MAX_LENGTH = 120

/** A chain's error in plain words, or its own words, cut and quoted; undefined without any. */
export function chainErrorText(log: string): string | undefined {
  return explained(log) ?? quoted('The network’s reason', log)
}

/**
 * A wallet's error in plain words, or its own words, cut and quoted; undefined without any. `isKnown` recognizes the texts of the page
 * library and the protocol, which stay as they are.
 */
export function walletErrorText(
  error: string | undefined,
  isKnown: (message: string) => boolean,
): string | undefined {
  const message = (error ?? '').replace(/^Error: /, '')
  return isKnown(message) ? message : (explained(message) ?? quoted('Your wallet says', message))
}

function explained(log: string): string | undefined {
  const code = chainErrorCode(log)
  return code === undefined ? undefined : ERROR_CATALOG[code].message
}

function quoted(introduction: string, text: string): string | undefined {
  const letters = Array.from(text.replace(/\s+/g, ' ').trim())
  if (letters.length === 0) return undefined
  const cut = escapeInvisible(letters.slice(0, MAX_LENGTH).join(''))
  return `${introduction}: ‘${cut}${letters.length > MAX_LENGTH ? '…' : ''}’`
}
