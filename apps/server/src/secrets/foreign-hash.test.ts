import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { IMPORT_COSTS, readForeignHash } from './foreign-hash.ts'

/** Hashes made by other implementations, with low costs. */
const { password: PASSWORD, hashes } = JSON.parse(
  readFileSync(new URL('foreign-hash-vectors.json', import.meta.url), 'utf8'),
) as {
  readonly password: string
  readonly hashes: readonly {
    readonly form: string
    readonly source: string
    readonly hash: string
  }[]
}

function verify(hash: string, password: string): Promise<boolean> {
  const read = readForeignHash(hash)
  if ('error' in read) throw new Error(read.error)
  return read.verify(password)
}

test.each(hashes)('import: $form, made by $source', async ({ hash }) => {
  expect(await verify(hash, PASSWORD)).toBe(true)
  expect(await verify(hash, `${PASSWORD} `)).toBe(false)
  expect(await verify(hash, '')).toBe(false)
})

const LONG = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

test.each([
  ['bcrypt, Openwall', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U'],
  [
    'bcrypt of 72 bytes, Openwall',
    '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui',
    `${LONG}chars after 72 are ignored`,
  ],
  ['phpass, Openwall', '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0', 'test12345'],
  [
    'scrypt, RFC 7914',
    `$scrypt$ln=14,r=8,p=1$${Buffer.from('SodiumChloride').toString('base64').replace(/=+$/, '')}$${Buffer.from('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887', 'hex').toString('base64').replace(/=+$/, '')}`,
    'pleaseletmein',
  ],
])('import: the published vector of %s', async (_, hash, password) => {
  expect(await verify(hash, password)).toBe(true)
  expect(await verify(hash, password.slice(1))).toBe(false)
})

const SALT = 'A'.repeat(22)
const KEY = 'A'.repeat(43)

test.each([
  [`$2b$31$${'A'.repeat(53)}`, 'bcrypt cost 31'],
  [`$2b$15$${'A'.repeat(53)}`, 'bcrypt cost 15'],
  [`$2b$03$${'A'.repeat(53)}`, 'bcrypt cost 3'],
  [`bcrypt_sha256$$2b$31$${'A'.repeat(53)}`, 'bcrypt cost 31'],
  [`$2x$10$${'A'.repeat(53)}`, 'unknown form'],
  [`$argon2id$v=19$m=4194304,t=1,p=1$${SALT}$${KEY}`, 'argon2 cost'],
  [`$argon2id$v=19$m=65536,t=1000,p=1$${SALT}$${KEY}`, 'argon2 cost'],
  [`argon2$argon2id$v=19$m=65536,t=1000,p=1$${SALT}$${KEY}`, 'argon2 cost'],
  [`$argon2id$v=19$m=65536,t=1,p=0$${SALT}$${KEY}`, 'argon2 cost'],
  [`$argon2id$v=19$m=65536,t=1,p=1$AA$${KEY}`, 'argon2 salt'],
  [`$argon2id$v=19$m=65536,t=1,p=1$${SALT}$AAAA`, 'argon2 salt'],
  [`$argon2id$v=19$m=65536,t=1,p=1$${SALT}x$${KEY}`, 'argon2 salt'],
  [`$scrypt$ln=31,r=8,p=1$${SALT}$${KEY}`, 'scrypt cost'],
  [`$scrypt$ln=16,r=1,p=1$${SALT}$${KEY}`, 'scrypt cost'],
  [`$scrypt$ln=14,r=8,p=1000$${SALT}$${KEY}`, 'scrypt cost'],
  [`scrypt$1048576$salt$8$5$${KEY}=`, 'scrypt cost'],
  [`scrypt$16383$salt$8$1$${KEY}=`, 'scrypt cost'],
  [`$firebase-scrypt$ln=24,r=8$${SALT}$${KEY}`, 'scrypt cost'],
  [`pbkdf2_sha256$9999999999$salt$${KEY}=`, 'PBKDF2 iterations'],
  [`$pbkdf2-sha256$1000000$${SALT}$${'A'.repeat(128)}`, 'PBKDF2 iterations'],
  [`$pbkdf2-sha256$0$${SALT}$${KEY}`, 'PBKDF2 iterations'],
  [`$pbkdf2-sha256$1000$${SALT}$A`, 'PBKDF2 iterations'],
  ['$P$SIQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0', 'phpass cost 30'],
  ['5f4dcc3b5aa765d61d8327deb882cf99', 'unknown form'],
  [`pbkdf2_sha256$1000$sa\0lt$${KEY}=`, 'unknown form'],
  [`scrypt$16384$sa\0lt$8$1$${KEY}=`, 'unknown form'],
  ['', 'unknown form'],
  ['$'.repeat(5000), 'longer than'],
])(
  'import: a damaged, too costly or unknown hash is refused without hashing: %s',
  (hash, error) => {
    const before = process.cpuUsage()
    expect(readForeignHash(hash)).toEqual({ error: expect.stringContaining(error) })
    // CPU time, which does not depend on the machine's other load.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(100)
  },
)

test.each([
  `$2b$14$${'A'.repeat(53)}`,
  `$argon2id$v=19$m=262144,t=4,p=1$${SALT}$${KEY}`,
  `$scrypt$ln=18,r=8,p=1$${SALT}$${KEY}`,
  `pbkdf2_sha256$2000000$salt$${KEY}=`,
  '$P$EIQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0',
])(
  'import: %s costs too much to be imported, but is verified if an earlier version did',
  (hash) => {
    expect(readForeignHash(hash, IMPORT_COSTS)).toHaveProperty('error')
    expect(readForeignHash(hash)).toHaveProperty('verify')
  },
)
