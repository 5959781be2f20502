import { redirectTarget } from './redirect-target.ts'

/** Where a session leads once it has started (§4.4, §4.6). */
export type SessionStart =
  | { readonly kind: 'openWallet'; readonly to: string }
  | { readonly kind: 'goOn'; readonly to: string; readonly queryParams: Record<string, string> }

/** Parameters that must not be kept: they name people or open things. */
const NOT_KEPT = new Set(['email', 'otp', 'loginUuid', 'state', 'code', 'token', 'jwt'])

/** Decides what follows a sign-in: the wallet connection where it was asked for, else the redirect target. */
export function sessionStart(query: URLSearchParams): SessionStart {
  const to = redirectTarget(query.get('redirectUrl'))
  if (query.get('walletconnect') === 'true') return { kind: 'openWallet', to }
  return {
    kind: 'goOn',
    to,
    queryParams: Object.fromEntries([...query].filter(([name]) => !NOT_KEPT.has(name))),
  }
}
