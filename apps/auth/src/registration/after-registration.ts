import { ROUTER_BASE } from '@portico/contracts/limits'

/** Where registration leads (§4.6): to wallet creation if `flow=wallet`, otherwise to the session start. */
export type AfterRegistration =
  | { readonly kind: 'session' }
  | { readonly kind: 'wallet'; readonly to: string }

/** Parses the page's query; `redirectUrl` is passed on to the wallet page. */
export function afterRegistration(query: URLSearchParams): AfterRegistration {
  if (query.get('flow') !== 'wallet') return { kind: 'session' }
  const redirectUrl = query.get('redirectUrl')
  const passedOn = redirectUrl === null ? '' : `?${new URLSearchParams({ redirectUrl })}`
  return { kind: 'wallet', to: `${ROUTER_BASE}/wallet/create-wallet${passedOn}` }
}
