/**
 * Other products' password hashes, as stored by an import until the user's first login. Every format is a single string that
 * names its algorithm and cost. Costs are limited, so that no hash takes much more than half a second of one core.
 */

import { createCipheriv, createHash, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { formatNumber } from '@portico/rules/format'

/** A hash that a password can be verified against. */
interface ForeignHash {
  readonly verify: (password: string) => Promise<boolean>
}

/** An unsupported hash and the reason. */
interface InvalidHash {
  readonly error: string
}

/** The memory of one hash, in KiB. */
const MAX_MEMORY = 256 * 1024

/** The maximum costs. */
interface CostLimits {
  readonly bcrypt: number
  /** Iterations of each key block. */
  readonly pbkdf2: number
  readonly phpass: number
  /** Memory times passes, in KiB. */
  readonly argon2: number
  /** Blocks that are mixed: N times r times p. */
  readonly scrypt: number
}

/** Half a second of one core. */
export const IMPORT_COSTS: CostLimits = {
  bcrypt: 13,
  pbkdf2: 1_500_000,
  phpass: 15,
  argon2: 512 * 1024,
  scrypt: 2 ** 20,
}

/** A second: earlier versions imported such hashes. */
const STORED_COSTS: CostLimits = {
  bcrypt: 14,
  pbkdf2: 2_000_000,
  phpass: 16,
  argon2: 1024 * 1024,
  scrypt: 2 ** 21,
}

const derivePbkdf2 = promisify(pbkdf2)
const deriveScrypt = promisify<
  string,
  Buffer,
  number,
  { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number },
  Buffer
>(scrypt)

/** Parses a hash by its format, without hashing anything. */
export function readForeignHash(text: string, limits = STORED_COSTS): ForeignHash | InvalidHash {
  if (text.length > 1024) return { error: 'is longer than 1,024 characters' }
  for (const [form, read] of FORMS) {
    const parts = form.exec(text)
    if (parts !== null) return read(limits, ...parts)
  }
  return { error: 'has an unknown form; docs/import.md lists those that are accepted' }
}

type Reader = (limits: CostLimits, ...parts: string[]) => ForeignHash | InvalidHash

const FORMS: readonly (readonly [RegExp, Reader])[] = [
  [
    /^(\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53})$/,
    (limits, _, hash = '', cost) => bcrypt(limits, hash, Number(cost)),
  ],
  [
    /^(?:argon2)?(\$argon2(?:i|d|id)\$(?:v=(?:16|19)\$)?m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,4})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+))$/,
    (limits, _, hash = '', memory, passes, lanes, salt = '', key = '') =>
      argon2(
        limits,
        { hash, salt, key },
        { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) },
      ),
  ],
  [
    /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(\d{1,10})\$([A-Za-z0-9./+]+)\$([A-Za-z0-9./+]+)$/,
    (limits, _, digest, iterations, salt = '', key = '') =>
      pbkdf2Hash(
        limits,
        { digest: digest || 'sha1', iterations: Number(iterations) },
        {
          salt: Buffer.from(salt.replaceAll('.', '+'), 'base64'),
          key: Buffer.from(key.replaceAll('.', '+'), 'base64'),
        },
      ),
  ],
  // PostgreSQL cannot store a NUL character.
  [
    /^pbkdf2_(sha1|sha256)\$(\d{1,10})\$([^$\0]+)\$([A-Za-z0-9+/=]+)$/,
    (limits, _, digest = '', iterations, salt = '', key = '') =>
      pbkdf2Hash(
        limits,
        { digest, iterations: Number(iterations) },
        {
          salt: Buffer.from(salt),
          key: Buffer.from(key, 'base64'),
        },
      ),
  ],
  [
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,4}),p=(\d{1,4})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/,
    (limits, _, logN, r, p, salt = '', key = '') =>
      scryptHash(
        limits,
        { N: 2 ** Number(logN), r: Number(r), p: Number(p) },
        { salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') },
      ),
  ],
  [
    /^scrypt\$(\d{1,9})\$([^$\0]+)\$(\d{1,4})\$(\d{1,4})\$([A-Za-z0-9+/=]+)$/,
    (limits, _, N, salt = '', r, p, key = '') =>
      scryptHash(
        limits,
        { N: Number(N), r: Number(r), p: Number(p) },
        { salt: Buffer.from(salt), key: Buffer.from(key, 'base64') },
      ),
  ],
  [
    /^bcrypt(_sha256)?\$(\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53})$/,
    (limits, _, isPrehashed, hash = '', cost) =>
      isPrehashed
        ? bcrypt(limits, hash, Number(cost), sha256Hex)
        : bcrypt(limits, hash, Number(cost)),
  ],
  [
    /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/,
    (limits, _, cost = '', salt = '', key = '') =>
      phpass(limits, { cost: PHPASS_DIGITS.indexOf(cost), salt, key }),
  ],
  [
    /^\$firebase-scrypt\$ln=(\d{1,2}),r=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/,
    (limits, _, logN, r, salt = '', key = '') =>
      firebaseScrypt(
        limits,
        { N: 2 ** Number(logN), r: Number(r), p: 1 },
        { salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') },
      ),
  ],
]

interface SaltedKey {
  readonly salt: Buffer
  readonly key: Buffer
}

const sha256Hex = (password: string) => createHash('sha256').update(password).digest('hex')

function bcrypt(
  limits: CostLimits,
  hash: string,
  cost: number,
  prehash = (password: string) => password,
): ForeignHash | InvalidHash {
  if (cost < 4 || cost > limits.bcrypt) {
    return { error: `has the bcrypt cost ${cost}; accepted are 4 to ${limits.bcrypt}` }
  }
  // Other implementations read at most 72 bytes and stop at a zero byte.
  const secret = (password: string) => {
    const bytes = Buffer.from(prehash(password))
    const end = bytes.indexOf(0)
    return bytes.subarray(0, Math.min(end === -1 ? 72 : end, 72))
  }
  return { verify: (password) => verifyBcrypt(secret(password), hash) }
}

function argon2(
  limits: CostLimits,
  { hash, salt, key }: { readonly hash: string; readonly salt: string; readonly key: string },
  { memory, passes, lanes }: { memory: number; passes: number; lanes: number },
): ForeignHash | InvalidHash {
  const isAccepted =
    lanes >= 1 &&
    lanes <= 16 &&
    passes >= 1 &&
    memory >= 8 * lanes &&
    memory <= MAX_MEMORY &&
    memory * passes <= limits.argon2
  if (!isAccepted) {
    return {
      error: `has the argon2 cost m=${memory},t=${passes},p=${lanes}; accepted are 256 MiB, ${limits.argon2 / 1024} MiB in all passes and 16 lanes`,
    }
  }
  // The library would only notice at the first login.
  if (exactBytes(salt) < 8 || exactBytes(key) < 16) {
    return {
      error: 'has an argon2 salt of less than 8 bytes, a key of less than 16, or invalid base64',
    }
  }
  return { verify: (password) => verifyArgon2(hash, password) }
}

/** The byte length of unpadded base64; 0 if it is not the canonical encoding. */
function exactBytes(text: string): number {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64').replace(/=+$/, '') === text ? bytes.length : 0
}

const DIGEST_BYTES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 }

function pbkdf2Hash(
  limits: CostLimits,
  { digest, iterations }: { readonly digest: string; readonly iterations: number },
  { salt, key }: SaltedKey,
): ForeignHash | InvalidHash {
  // A longer derived key multiplies the work.
  const blocks = Math.ceil(key.length / (DIGEST_BYTES[digest] ?? 1))
  const work = iterations * Math.max(blocks, 1)
  if (key.length < 16 || key.length > 128 || iterations < 1 || work > limits.pbkdf2) {
    return {
      error: `has ${iterations} PBKDF2 iterations for ${key.length} bytes; accepted are ${formatNumber(limits.pbkdf2)} per block and 16 to 128 bytes`,
    }
  }
  return {
    verify: async (password) =>
      timingSafeEqual(await derivePbkdf2(password, salt, iterations, key.length, digest), key),
  }
}

interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

function scryptError(limits: CostLimits, { N, r, p }: ScryptCost): InvalidHash | undefined {
  const isPower = N > 1 && Number.isInteger(Math.log2(N))
  // RFC 7914, 2: N is less than 2^(128 r / 8).
  const isDefined = Math.log2(N) < 16 * r
  const isAccepted =
    isPower &&
    isDefined &&
    r >= 1 &&
    p >= 1 &&
    (N * r) / 8 <= MAX_MEMORY &&
    N * r * p <= limits.scrypt
  return isAccepted
    ? undefined
    : {
        error: `has the scrypt cost N=${N}, r=${r}, p=${p}; accepted is N × r × p up to ${formatNumber(limits.scrypt)}`,
      }
}

function withMemory(cost: ScryptCost) {
  return { ...cost, maxmem: 128 * cost.r * (cost.N + cost.p + 2) + 1024 }
}

function scryptHash(
  limits: CostLimits,
  cost: ScryptCost,
  { salt, key }: SaltedKey,
): ForeignHash | InvalidHash {
  if (key.length < 16 || key.length > 128) return { error: 'has a key that is not 16 to 128 bytes' }
  return (
    scryptError(limits, cost) ?? {
      verify: async (password) =>
        timingSafeEqual(await deriveScrypt(password, salt, key.length, withMemory(cost)), key),
    }
  )
}

/**
 * Firebase encrypts its signing key with a key that scrypt derives from the password. The import stores that ciphertext
 * XORed with the signing key, which is the key stream: the encryption of zeros.
 */
function firebaseScrypt(
  limits: CostLimits,
  cost: ScryptCost,
  { salt, key }: SaltedKey,
): ForeignHash | InvalidHash {
  if (key.length < 16 || key.length > 128) return { error: 'has a key that is not 16 to 128 bytes' }
  return (
    scryptError(limits, cost) ?? {
      async verify(password) {
        const derived = await deriveScrypt(password, salt, 32, withMemory(cost))
        const cipher = createCipheriv('aes-256-ctr', derived, Buffer.alloc(16))
        return timingSafeEqual(cipher.update(Buffer.alloc(key.length)), key)
      },
    }
  )
}

const PHPASS_DIGITS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Hashes per event loop turn: about a millisecond. */
const PHPASS_BATCH = 1024

/** The portable form of phpass (WordPress, phpBB): MD5, 2^cost times. */
function phpass(
  limits: CostLimits,
  { cost, salt, key }: { readonly cost: number; readonly salt: string; readonly key: string },
): ForeignHash | InvalidHash {
  if (cost < 7 || cost > limits.phpass) {
    return { error: `has the phpass cost ${cost}; accepted are 7 to ${limits.phpass}` }
  }
  return {
    async verify(password) {
      const secret = Buffer.from(password)
      const next = (bytes: Uint8Array) => createHash('md5').update(bytes).update(secret).digest()
      let hash = next(Buffer.from(salt))
      for (let count = 1; count <= 2 ** cost; count += 1) {
        hash = next(hash)
        if (count % PHPASS_BATCH === 0) await nextTurn()
      }
      return timingSafeEqual(Buffer.from(phpassText(hash)), Buffer.from(key))
    },
  }
}

/** phpass writes three bytes as four digits, the lowest bits first. */
function phpassText(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second, third] = bytes.subarray(index, index + 3)
    const bits = first | ((second ?? 0) << 8) | ((third ?? 0) << 16)
    const digits = third !== undefined ? 4 : second !== undefined ? 3 : 2
    for (let digit = 0; digit < digits; digit += 1) {
      text += PHPASS_DIGITS[(bits >> (6 * digit)) & 63]
    }
  }
  return text
}
