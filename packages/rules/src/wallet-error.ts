/**
 * The text that a user reads about an error of a wallet or of the chain. Both may send anything: a wallet's own words are cut and quoted,
 * and a chain's are not shown.
 */
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import type { ErrorCode } from '@portico/contracts/errors'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { chainErrorCode, proposalErrorCode } from './chain-error.ts'

/** Enough for a sentence, too little for a page of its own. */
const MAX_LENGTH = 120

/** A chain's other errors are technical. */
const TECHNICAL_REASON =
  'The network gave a technical reason. If it happens again, contact support.'

/** A chain's error in plain words. */
export const chainErrorText = (log: string): string =>
  sentenceOf(chainErrorCode(log)) ?? TECHNICAL_REASON

/** The error of a group's proposal in plain words. */
export const proposalErrorText = (log: string): string =>
  sentenceOf(proposalErrorCode(log)) ?? TECHNICAL_REASON

/**
 * A wallet's error in plain words, or its own words, cut and quoted; undefined without any. `isKnown` recognizes the texts of the page
 * library and the protocol, which stay as they are.
 */
export function walletErrorText(
  error: string | undefined,
  isKnown: (message: string) => boolean,
): string | undefined {
  const message = (error ?? '').replace(/^Error: /, '')
  return isKnown(message)
    ? message
    : (sentenceOf(chainErrorCode(message)) ?? quoted('Your wallet says', message))
}

const sentenceOf = (code: ErrorCode | undefined) =>
  code === undefined ? undefined : ERROR_CATALOG[code].message

function quoted(introduction: string, text: string): string | undefined {
  const letters = Array.from(text.replace(/\s+/g, ' ').trim())
  if (letters.length === 0) return undefined
  const cut = escapeInvisible(letters.slice(0, MAX_LENGTH).join(''))
  return `${introduction}: ‘${cut}${letters.length > MAX_LENGTH ? '…' : ''}’`
}
