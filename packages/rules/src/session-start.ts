import { redirectTarget } from './redirect-target.ts'

/** The destination after a session has started (§4.4, §4.6). */
export type SessionStart =
  | { readonly kind: 'openWallet'; readonly to: string }
  | { readonly kind: 'continue'; readonly to: string; readonly queryParams: Record<string, string> }

/** Parameters that must not be kept: they identify users or grant access. */
const NOT_KEPT = new Set(['email', 'otp', 'loginUuid', 'state', 'code', 'token', 'jwt'])

/** Decides what follows a sign-in: the wallet connection if requested, otherwise the redirect target. */
export function sessionStart(query: URLSearchParams): SessionStart {
  const to = redirectTarget(query.get('redirectUrl'))
  if (query.get('walletconnect') === 'true') return { kind: 'openWallet', to }
  return {
    kind: 'continue',
    to,
    queryParams: Object.fromEntries([...query].filter(([name]) => !NOT_KEPT.has(name))),
  }
}
