import { PASSCODE_LENGTH } from '@portico/contracts/limits'

/** What a passcode field keeps of what was typed or pasted (§5): digits only, six at most. */
export function passcodeText(typed: string): string {
  return typed.replace(/\D/g, '').slice(0, PASSCODE_LENGTH)
}
