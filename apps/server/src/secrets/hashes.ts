import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The SHA-256 of a text, in base64url. For texts that are themselves random; people's choices need argon2. */
export function sha256(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** A random text of 256 bits. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether two texts are the same, in a time that tells nothing about where they differ. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
