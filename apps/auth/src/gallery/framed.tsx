import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { PageFrame } from '@portico/shell/page-frame'
import type { ReactNode } from 'react'
import { Router } from 'wouter'

/** Event handler for gallery screens, which do not react to input. */
export const nothing = () => undefined

/** Renders a screen inside the standard page frame. */
export function Framed({
  page,
  partnered = false,
  children,
}: {
  page: PageData
  partnered?: boolean
  children: ReactNode
}) {
  return (
    <Router base={ROUTER_BASE}>
      <PageFrame page={page} partnered={partnered}>
        {children}
      </PageFrame>
    </Router>
  )
}
