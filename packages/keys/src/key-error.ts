/** What was wrong with what a caller handed in; nothing a peer sends leads here. */
export type KeyErrorCode =
  | 'words-invalid'
  | 'seed-invalid'
  | 'path-invalid'
  | 'private-key-invalid'
  | 'public-key-invalid'
  | 'prefix-invalid'
  | 'address-bytes-invalid'

/** Thrown where no key, address or signature can be made. It never carries the secret it was made from, nor a cause that might. */
export class KeyError extends Error {
  readonly code: KeyErrorCode

  constructor(code: KeyErrorCode, message: string) {
    super(message)
    this.name = 'KeyError'
    this.code = code
  }
}
