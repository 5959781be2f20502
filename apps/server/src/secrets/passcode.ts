import { randomInt } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { PASSCODE_LENGTH, PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import { isLive } from '../clock.ts'

export function newPasscode(): string {
  return randomInt(10 ** PASSCODE_LENGTH)
    .toString()
    .padStart(PASSCODE_LENGTH, '0')
}

/** @throws Refusal - `code-used`, `code-expired` */
export function assertUsable(
  code: { readonly redeemedAt: number | null; readonly expiresAt: number },
  at: number,
): void {
  if (code.redeemedAt !== null) throw new Refusal('code-used')
  if (!isLive(code.expiresAt, PASSCODE_LIFETIME_MS, at)) throw new Refusal('code-expired')
}
