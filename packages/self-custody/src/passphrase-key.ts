/** The key derived from a passphrase, as a window sends it to the vault's keeper. */
import * as z from 'zod/mini'

/** OWASP's recommendation for argon2id. A later version may raise it; each vault stores its own. */
export const ARGON2ID = { memoryKiB: 19_456, passes: 2, lanes: 1 } as const

// Bounds on stored parameters: tampered ones must neither weaken a new wrapping nor exhaust the device's memory.
const MAX_MEMORY_KIB = 262_144
const MAX_PASSES = 16
const MAX_LANES = 4

export const KEY_BYTES = 32
export const SALT_BYTES = 32

/** Base64 of a fixed number of bytes. */
export const base64Bytes = (length: number) => z.base64().check(z.length(4 * Math.ceil(length / 3)))

/** How a key is derived from a passphrase. */
export const PassphraseDerivation = z.strictObject({
  algorithm: z.literal('argon2id'),
  memoryKiB: z.number().check(z.int(), z.minimum(ARGON2ID.memoryKiB), z.maximum(MAX_MEMORY_KIB)),
  passes: z.number().check(z.int(), z.minimum(ARGON2ID.passes), z.maximum(MAX_PASSES)),
  lanes: z.number().check(z.int(), z.minimum(1), z.maximum(MAX_LANES)),
  salt: base64Bytes(SALT_BYTES),
})
export type PassphraseDerivation = z.output<typeof PassphraseDerivation>

export const PassphraseKey = z.strictObject({
  derivation: PassphraseDerivation,
  /** In base64, because messages between a window and a worker are JSON. */
  key: base64Bytes(KEY_BYTES),
})
export type PassphraseKey = z.output<typeof PassphraseKey>
