import { createHash } from 'node:crypto'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'

const ENCRYPTION = 'A256GCM'
/** The maximum cookie length that browsers store. */
const MAX_LENGTH = 4096

export interface Seal {
  /** Encrypts a value. No one can read or change it. */
  seal(value: object, lifetimeS: number): Promise<string>
  /** The value; undefined if it was not sealed here for this purpose, was tampered with or is too old. */
  open(sealed: string | undefined): Promise<unknown>
}

/**
 * Encrypts values that leave the process for one purpose, so that a value cannot be used for another. The first secret seals
 * and all open, so that secrets can rotate.
 */
export function openSeal(
  secrets: readonly string[],
  purpose: string,
  lengthMaximum: number = MAX_LENGTH,
): Seal {
  const keys = secrets.map((secret) =>
    createHash('sha256').update(`portico ${purpose} ${secret}`).digest(),
  )
  const [sealing] = keys
  if (sealing === undefined) throw new Error('A seal needs a secret')
  return {
    seal: (value, lifetimeS) =>
      new EncryptJWT({ value })
        .setProtectedHeader({ alg: 'dir', enc: ENCRYPTION })
        .setExpirationTime(Math.floor(Date.now() / 1000) + lifetimeS)
        .encrypt(sealing),
    async open(sealed) {
      if (sealed === undefined || sealed.length > lengthMaximum) return undefined
      for (const key of keys) {
        try {
          const { payload } = await jwtDecrypt(sealed, key, {
            keyManagementAlgorithms: ['dir'],
            contentEncryptionAlgorithms: [ENCRYPTION],
            requiredClaims: ['exp'],
          })
          return payload['value']
        } catch (error) {
          // Sealed with another secret, or invalid.
          if (!(error instanceof errors.JOSEError)) throw error
        }
      }
      return undefined
    },
  }
}
