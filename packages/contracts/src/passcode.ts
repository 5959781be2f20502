import * as z from 'zod/mini'
import { plainDigits } from './characters.ts'

/** A passcode in digits of any script, without what stands between them. Fields also find it in pasted text. */
export const Passcode = z.string().check(
  // Shorter in the login page's script than Zod's own overwrite.
  (payload) => {
    payload.value = plainDigits(payload.value).replace(/\W/g, '')
  },
  z.regex(/^[0-9]{6}$/, 'Please enter a valid code'),
)
