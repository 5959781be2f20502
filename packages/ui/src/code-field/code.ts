/** How many digits a passcode has (§9). */
export const PASSCODE_LENGTH = 6

/** The digits of what was typed or pasted, no more than six (§5). */
export function codeDigits(text: string): string {
  return text.replaceAll(/\D/g, '').slice(0, PASSCODE_LENGTH)
}
