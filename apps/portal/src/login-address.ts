import { ROUTER_BASE } from '@portico/contracts/limits'

/** The login page, from which the person comes back here (§2.2). */
export function loginAddress(here: string): string {
  return `${ROUTER_BASE}/login?${new URLSearchParams({ redirectUrl: here })}`
}
