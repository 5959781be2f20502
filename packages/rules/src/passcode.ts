import { PASSCODE_LENGTH } from '@portico/contracts/limits'

/** Filters typed or pasted text for a passcode field (§5): digits only, at most six. */
export function passcodeText(typed: string): string {
  return typed.replace(/\D/g, '').slice(0, PASSCODE_LENGTH)
}
