/** Codes of authenticator apps (RFC 6238) with SHA-1, six digits and 30 seconds, which all of them support. */
import { Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
/**
 * Accepts codes one step early or late, as RFC 6238 (5.2) recommends. More steps would give an attacker more valid codes to
 * guess.
 */
const STEPS_OFF = 1
const SECRET_BYTES = 20

/** The alias value of an authenticator app, which has no address. */
export const TOTP_ALIAS = 'Authenticator application'

/** In base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/**
 * The `otpauth:` URI for the QR code. A colon separates issuer and account in its label, so the issuer has none: `Smith: Sons`
 * becomes `Smith - Sons`.
 */
export function totpUri(account: { secret: string; issuer: string; email: string }): string {
  const { secret, issuer, email } = account
  return new TOTP({
    issuer: issuer.replace(/\s*[:\uff1a]\s*/g, ' - ').trim(),
    label: email,
    secret: Secret.fromBase32(secret),
  }).toString()
}

/** The code that the app shows, for demonstration users. */
export function totpCode(secret: string, at: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_S }).generate({
    timestamp: at,
  })
}

/** The time step that a code belongs to, or undefined when the code is wrong, too early or too late. */
export function totpStep(secret: string, code: string, at: number): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const delta = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_S }).validate({
    token: code,
    timestamp: at,
    window: STEPS_OFF,
  })
  return delta === null ? undefined : Math.floor(at / 1000 / PERIOD_S) + delta
}
