import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** SHA-256 in base64url, for random values. User-chosen values need argon2. */
export function sha256(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** 256 random bits in base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Compares two strings in constant time. */
export function constantTimeEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
