import { ROUTER_BASE } from '@portico/contracts/limits'
import { Link } from '@portico/ui/link'
import type { ReactNode } from 'react'
import { Link as WouterLink } from 'wouter'

/** Navigates client-side to this application's own routes and loads any other URL as a page. */
export function RouteLink({ href, children }: { href: string; children: ReactNode }) {
  if (!href.startsWith(`${ROUTER_BASE}/`)) return <Link href={href}>{children}</Link>
  return (
    <WouterLink href={href.slice(ROUTER_BASE.length)} asChild>
      <Link>{children}</Link>
    </WouterLink>
  )
}
