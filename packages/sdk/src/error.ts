/**
 * - `invalid-options`: the application is misconfigured.
 * - `invalid-token`: a token is forged, expired, or was issued to another application or by another issuer.
 * - `step-up-required`: a token is valid, but the login was with too few factors or too long ago.
 * - `invalid-logout-token`, `invalid-webhook`: a message is not from Portico or was already received.
 * - `unavailable`: Portico does not respond. Try again later.
 */
export type PorticoErrorCode =
  | 'invalid-options'
  | 'invalid-token'
  | 'step-up-required'
  | 'invalid-logout-token'
  | 'invalid-webhook'
  | 'unavailable'

/** Match on `code`; `message` says what to do. */
export class PorticoError extends Error {
  readonly code: PorticoErrorCode

  constructor(code: PorticoErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PorticoError'
    this.code = code
  }
}
