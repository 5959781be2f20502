import { hash, verify } from '@node-rs/argon2'

/** argon2id, 19 MiB, 2 passes: the first setting OWASP recommends. */
const SETTING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A hash that no password has, compared with where there is nobody to compare with, so that it takes as long. */
const NOBODY = await hash('nobody has this password', SETTING)

/** The stored form of a password. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), SETTING)
}

/** Whether a password is the right one; takes as long where there is no stored hash. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const right = await verify(stored ?? NOBODY, password.normalize('NFKC'))
  return right && stored !== null
}
