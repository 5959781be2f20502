/**
 * Normalizes a phone number to E.164; without a country code it is North American. Returns undefined for an invalid
 * number.
 */
export function phoneNumber(input: string): string | undefined {
  const text = input.trim()
  if (!/^\+?[\d\s().-]+$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '')
  if (text.startsWith('+') && !digits.startsWith('1')) {
    return /^[2-9]\d{7,14}$/.test(digits) ? `+${digits}` : undefined
  }
  const national = /^1?([2-9]\d{2}[2-9]\d{6})$/.exec(digits)?.[1]
  return national === undefined ? undefined : `+1${national}`
}
