/** Which of the caller's arguments was invalid. Untrusted input never causes these errors. */
export type KeyErrorCode =
  | 'words-invalid'
  | 'seed-invalid'
  | 'path-invalid'
  | 'private-key-invalid'
  | 'public-key-invalid'
  | 'prefix-invalid'
  | 'address-bytes-invalid'

/** Thrown if a key, address or signature cannot be created. It never contains the secret, nor a cause that might. */
export class KeyError extends Error {
  readonly code: KeyErrorCode

  constructor(code: KeyErrorCode, message: string) {
    super(message)
    this.name = 'KeyError'
    this.code = code
  }
}
