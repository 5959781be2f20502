import { plainDigits } from '@portico/contracts/characters'
import { PASSCODE_LENGTH } from '@portico/contracts/limits'

/** What stands between the digits of a code: white space, hyphens and characters of no width. */
const SEPARATORS = /(?<=\d)[\s\p{Pd}\p{Cf}]+(?=\d)/gu

/**
 * Filters typed or pasted text for a passcode field (§5): the six digits that belong together, as in `2FA code: 123456`,
 * otherwise all digits, at most six. Digits of every script count.
 */
export function passcodeText(typed: string): string {
  const text = plainDigits(typed).replace(SEPARATORS, ' ')
  const [code = text] =
    /(?<!\d)\d{6}(?!\d)/.exec(text) ?? /(?<!\d ?)(?:\d ?){5}\d(?! ?\d)/.exec(text) ?? []
  return code.replace(/\D/g, '').slice(0, PASSCODE_LENGTH)
}
