import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { PageFrame } from '@portico/shell/page-frame'
import type { ReactNode } from 'react'
import { Router } from 'wouter'

/** What happens to whatever a person does here. */
export const nothing = () => undefined

/** A screen in the frame that every page has. */
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
