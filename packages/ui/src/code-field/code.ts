/** The number of digits in a passcode (§9). */
const PASSCODE_LENGTH = 6

/** The first six digits of the input (§5). */
export function codeDigits(text: string): string {
  return text.replaceAll(/\D/g, '').slice(0, PASSCODE_LENGTH)
}

/** Whether the input is a complete code different from the previous one. */
export function completesCode(code: string, previous: string): boolean {
  return code.length === PASSCODE_LENGTH && code !== previous
}
