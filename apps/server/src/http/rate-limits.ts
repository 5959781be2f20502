import type { RateLimitRule } from './serve.ts'

const TEN_MINUTES_MS = 10 * 60 * 1000

/** For calls that send mail or hash passwords: allows an office behind one address but stops a flood. */
export const COSTLY: RateLimitRule = { allowed: 300, windowMs: TEN_MINUTES_MS }

/**
 * For pages, which are rendered per request: allows an office behind one address but keeps a flood from blocking sign-in.
 */
export const PAGES: RateLimitRule = { allowed: 1200, windowMs: 60 * 1000 }

/** For calls that reveal whether an account exists. */
export const ACCOUNT_DISCLOSING: RateLimitRule = { allowed: 60, windowMs: TEN_MINUTES_MS }
