import { randomInt } from 'node:crypto'
import { PASSCODE_LENGTH } from '@portico/contracts/limits'

export function newPasscode(): string {
  return randomInt(10 ** PASSCODE_LENGTH)
    .toString()
    .padStart(PASSCODE_LENGTH, '0')
}
