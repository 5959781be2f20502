/** How many digits a passcode has (§9). */
const PASSCODE_LENGTH = 6

/** The digits of what was typed or pasted, no more than six (§5). */
export function codeDigits(text: string): string {
  return text.replaceAll(/\D/g, '').slice(0, PASSCODE_LENGTH)
}

/** Whether the field has just come to hold six digits it did not hold before. */
export function completesCode(code: string, held: string): boolean {
  return code.length === PASSCODE_LENGTH && code !== held
}
