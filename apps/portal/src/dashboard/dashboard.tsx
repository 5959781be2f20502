import type { PageData, PageSession } from '@portico/contracts/page-data'
import { useFlow } from '@portico/flow/react'
import { pathAndQuery } from '@portico/rules/wallet-redirects'
import { useSyncExternalStore } from 'react'
import { useEnvironment } from '../environment.ts'
import { dashboard } from './dashboard.flow.ts'
import { dashboardServices } from './dashboard.services.ts'
import { DashboardView } from './dashboard.view.tsx'
import { WalletSlot } from './wallet-slot.tsx'

export function Dashboard({ page, session }: { page: PageData; session: PageSession }) {
  const environment = useEnvironment()
  const [state, send] = useFlow(dashboard, {
    input: null,
    services: dashboardServices({ ...environment, here: pathAndQuery(page) }),
    report: environment.reportError,
  })
  return (
    <DashboardView
      state={state}
      send={send}
      session={session}
      since={useLocalTime(session.signedInAt)}
      wallet={<WalletSlot />}
    />
  )
}

const never = () => () => undefined

/** A timestamp in the user's locale and time zone. The server knows neither, so it renders ISO format in UTC. */
function useLocalTime(at: number): string {
  return useSyncExternalStore(
    never,
    () => new Date(at).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' }),
    () => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  )
}
