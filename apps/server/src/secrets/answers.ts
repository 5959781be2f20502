import { hashPassword, verifyPassword } from './password-hash.ts'

/**
 * Normalizes an answer to a recovery question: without accents, case, punctuation and repeated spaces, because users
 * do not type these the same way each time.
 */
export function normalizeAnswer(answer: string): string {
  return answer
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Hashes an answer like a password, because users choose it. */
export function hashAnswer(answer: string): Promise<string> {
  return hashPassword(normalizeAnswer(answer))
}

/** Takes the same time when there is no stored hash. */
export function verifyAnswer(stored: string | null, answer: string): Promise<boolean> {
  return verifyPassword(stored, normalizeAnswer(answer))
}
