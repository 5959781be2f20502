import { plainDigits } from '@portico/contracts/characters'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * Formats a phone number (§5): ten digits become (xxx) xxx-xxxx, also with +1 or 1 before
 * them. Anything else, such as a foreign number, is unchanged.
 */
export function formatPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  if (isForeign(phone, digits)) return phone
  const [, area, exchange, line] = /^1?(\d{3})(\d{3})(\d{4})$/.exec(digits) ?? []
  return area === undefined ? phone : `(${area}) ${exchange}-${line}`
}

/** The `tel:` link of a phone number, with the North American country code if it has none. */
export function phoneLink(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  return `tel:+${digits.length === 10 && !isForeign(phone, digits) ? `1${digits}` : digits}`
}

/** Longer texts are not phone numbers. */
const MAX_TYPED_LENGTH = 64

/** The lines, prolonged sounds and minus signs that are typed for a hyphen, and the dots and slashes between groups. */
const GROUP_SEPARATORS =
  /[\s\p{Cf}\p{Pd}\u2212\u2043\u30fc\u2500\u2800./\u2044\u2215\u00b7\u2022\u30fb]+/gu

/**
 * Normalizes a phone number to E.164, as people of all countries write it; without a country code it is North American.
 * Returns undefined for an invalid number.
 */
export function normalizePhone(input: string): string | undefined {
  if (input.length > MAX_TYPED_LENGTH || hasMixedDigits(input)) return undefined
  const text = plainDigits(input)
    .normalize('NFKC')
    .replace(GROUP_SEPARATORS, ' ')
    .trim()
    .replace(/^tel:\s?(?=\+)/i, '')
    // The prefixes for calls abroad: 00 in most countries, 011 in North America.
    .replace(/^(?:00|011) ?(?=[1-9])/, '+')
  if (!/^\(?\+?[\d ()]+$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '')
  const isInternational = text.replace('(', '').startsWith('+')
  if (!isInternational || digits.startsWith('1')) {
    const national = /^1?([2-9]\d{2}[2-9]\d{6})$/.exec(digits)?.[1]
    return national === undefined ? undefined : `+1${national}`
  }
  // Which zero after a country code belongs to the number depends on the country: in Italy it does, in most others it does not.
  const number = parsePhoneNumberFromString(`+${digits}`)
  return number?.isPossible() ? number.number : undefined
}

/** Whether a text has digits of several scripts or numbers of another kind, such as ²: no one writes a number so. */
function hasMixedDigits(text: string): boolean {
  if (/[\p{Nl}\p{No}]/u.test(text)) return true
  const digits = text.match(/\p{Nd}/gu) ?? []
  const zeros = digits.map((digit) => (digit.codePointAt(0) ?? 0) - Number(plainDigits(digit)))
  return new Set(zeros).size > 1
}

/** Whether a number has another country's code. Such numbers may also have ten digits in total. */
function isForeign(phone: string, digits: string): boolean {
  return phone.trimStart().startsWith('+') && !digits.startsWith('1')
}
