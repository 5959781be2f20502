/**
 * A phone number in the form that gateways take (E.164): North American where no country is given. Gives nothing for
 * what is no number that could be called.
 */
export function phoneNumber(given: string): string | undefined {
  const text = given.trim()
  if (!/^\+?[\d\s().-]+$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '')
  if (text.startsWith('+') && !digits.startsWith('1')) {
    return /^[2-9]\d{7,14}$/.test(digits) ? `+${digits}` : undefined
  }
  const national = /^1?([2-9]\d{2}[2-9]\d{6})$/.exec(digits)?.[1]
  return national === undefined ? undefined : `+1${national}`
}
