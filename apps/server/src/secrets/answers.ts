import { type HashWait, hashPassword, verifyPassword } from './password-hash.ts'

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
export function hashAnswer(answer: string, wait: HashWait): Promise<string> {
  return hashPassword(normalizeAnswer(answer), wait)
}

/** Takes the same time when there is no stored hash. */
export function verifyAnswer(
  stored: string | null,
  answer: string,
  wait: HashWait,
): Promise<boolean> {
  return verifyPassword(stored, normalizeAnswer(answer), wait)
}
