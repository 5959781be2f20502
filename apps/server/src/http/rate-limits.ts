import type { RateLimitRule } from './serve.ts'

const TEN_MINUTES_MS = 10 * 60 * 1000

/** Mail and hashing cost us or others something: an office behind one address has room, a flood has not. */
export const COSTLY: RateLimitRule = { allowed: 300, windowMs: TEN_MINUTES_MS }

/** Pages are rendered for each request: an office behind one address has room, a flood would hold up sign-in. */
export const PAGES: RateLimitRule = { allowed: 1200, windowMs: 60 * 1000 }

/** What tells whether somebody has an account is answered sparingly. */
export const ACCOUNT_DISCLOSING: RateLimitRule = { allowed: 60, windowMs: TEN_MINUTES_MS }
