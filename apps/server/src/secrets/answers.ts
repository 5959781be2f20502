import { hashPassword, verifyPassword } from './passwords.ts'

/**
 * The form in which answers to recovery questions are compared: without accents, case, punctuation and repeated spaces,
 * which people remember differently from one year to the next.
 */
export function normalizedAnswer(answer: string): string {
  return answer
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The stored form of an answer: people choose it, so it is hashed as a password is. */
export function hashAnswer(answer: string): Promise<string> {
  return hashPassword(normalizedAnswer(answer))
}

/** Whether an answer is the right one; takes as long where there is no stored hash. */
export function verifyAnswer(stored: string | null, answer: string): Promise<boolean> {
  return verifyPassword(stored, normalizedAnswer(answer))
}
