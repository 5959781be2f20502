/**
 * A phone number as people read it (§5): ten digits become (xxx) xxx-xxxx, also when written with +1 or 1 before
 * them. Anything else stays as it was given, such as the number of another country.
 */
export function formatPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  if (isAbroad(phone, digits)) return phone
  const [, area, exchange, line] = /^1?(\d{3})(\d{3})(\d{4})$/.exec(digits) ?? []
  return area === undefined ? phone : `(${area}) ${exchange}-${line}`
}

/** The `tel:` link of a phone number, with the country code of North America where none is given. */
export function phoneLink(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  return `tel:+${digits.length === 10 && !isAbroad(phone, digits) ? `1${digits}` : digits}`
}

/** Whether a number is written with another country's code, after which ten digits may follow in all. */
function isAbroad(phone: string, digits: string): boolean {
  return phone.trimStart().startsWith('+') && !digits.startsWith('1')
}
