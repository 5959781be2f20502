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

/**
 * Normalizes a phone number that a user entered to E.164; without a country code it is North American. Returns
 * undefined for an invalid number.
 */
export function normalizePhone(input: string): string | undefined {
  const text = input.trim()
  if (!/^\+?[\d\s().-]+$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '')
  if (isForeign(text, digits)) return /^[2-9]\d{7,14}$/.test(digits) ? `+${digits}` : undefined
  const national = /^1?([2-9]\d{2}[2-9]\d{6})$/.exec(digits)?.[1]
  return national === undefined ? undefined : `+1${national}`
}

/** Whether a number has another country's code. Such numbers may also have ten digits in total. */
function isForeign(phone: string, digits: string): boolean {
  return phone.trimStart().startsWith('+') && !digits.startsWith('1')
}
