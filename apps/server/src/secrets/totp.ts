/** Codes of authenticator applications (RFC 6238), by a library: SHA-1, six digits, thirty seconds, as all of them read. */
import { Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
/** A clock may be off by one step either way, as RFC 6238 recommends (5.2); more would give guesses more codes to hit. */
const STEPS_OFF = 1
const SECRET_BYTES = 20

/** What stands in the place of an authenticator application's address, which it has none of. */
export const TOTP_ALIAS = 'Authenticator application'

/** A new secret, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The address that an authenticator application reads from a QR code. */
export function totpUri(account: { secret: string; issuer: string; email: string }): string {
  const { secret, issuer, email } = account
  return new TOTP({ issuer, label: email, secret: Secret.fromBase32(secret) }).toString()
}

/** The step of time that a code belongs to; nothing where it is wrong, or too early or too late. */
export function totpStep(secret: string, code: string, at: number): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const delta = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_S }).validate({
    token: code,
    timestamp: at,
    window: STEPS_OFF,
  })
  return delta === null ? undefined : Math.floor(at / 1000 / PERIOD_S) + delta
}
