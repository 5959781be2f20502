import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { PageFrame } from '@portico/shell/page-frame'
import type { ReactNode } from 'react'
import { Router } from 'wouter'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'

/** Event handler for gallery screens, which do not react to input. */
export const nothing = () => undefined

/** Gallery screens send no requests. */
const environment = { ...serverEnvironment, location: () => new URL(window.location.href) }

/** Renders a screen inside the standard page frame. */
export function Framed({
  page,
  coBranded = false,
  children,
}: {
  page: PageData
  coBranded?: boolean
  children: ReactNode
}) {
  return (
    <Router base={ROUTER_BASE}>
      <PageFrame page={page} coBranded={coBranded}>
        <EnvironmentContext value={environment}>{children}</EnvironmentContext>
      </PageFrame>
    </Router>
  )
}
