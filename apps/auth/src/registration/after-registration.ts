import { ROUTER_BASE } from '@portico/contracts/limits'

/** Where a registration leads (§4.6): the wallet's creation where the flow asks for it, else the session's start. */
export type AfterRegistration =
  | { readonly kind: 'session' }
  | { readonly kind: 'wallet'; readonly to: string }

/** Reads it from the page's query; the wallet's page is told where to go on to. */
export function afterRegistration(query: URLSearchParams): AfterRegistration {
  if (query.get('flow') !== 'wallet') return { kind: 'session' }
  const redirectUrl = query.get('redirectUrl')
  const passedOn = redirectUrl === null ? '' : `?${new URLSearchParams({ redirectUrl })}`
  return { kind: 'wallet', to: `${ROUTER_BASE}/wallet/create-wallet${passedOn}` }
}
