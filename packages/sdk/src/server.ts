/**
 * For an application's server: `openSignIn` signs users in and keeps their sessions, `openTokens` only verifies tokens, and
 * `verifyWebhook` verifies webhooks. `./express` and `./fastify` integrate them with a framework; others pass a `Request` to
 * `SignIn.handle`.
 */
export { PorticoError, type PorticoErrorCode } from './error.ts'
export type { RequestHeaders } from './request-headers.ts'
export { memoryStore, type SessionStore, type StoredSession } from './session-store.ts'
export {
  openSignIn,
  type Session,
  type SignIn,
  type SignInFailure,
  type SignInOptions,
} from './sign-in.ts'
export {
  type AccessToken,
  type IdTokenClaims,
  openTokens,
  type Requirement,
  type TokenOptions,
  type Tokens,
} from './tokens.ts'
export { verifyWebhook, type WebhookEvent } from './webhook.ts'
