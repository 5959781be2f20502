import { useFlow } from '@portico/flow/react'
import type { ReactNode } from 'react'
import { useEnvironment } from '../environment.ts'
import type { KeeperAccount } from '../key-keeper.ts'
import { accounts, type Result } from './accounts.flow.ts'
import { accountsServices } from './accounts.services.ts'
import { AccountsView } from './accounts.view.tsx'

/** The accounts of the wallet; hands back whenever they changed or were locked away. */
export function Accounts({
  kept,
  notice,
  onResult,
  onLogIn,
}: {
  kept: readonly KeeperAccount[]
  /** What is to be said above the list. */
  notice?: ReactNode
  onResult: (result: Result) => void
  onLogIn: () => void
}) {
  const { keeper, reportError } = useEnvironment()
  const [state, send] = useFlow(accounts, {
    input: { empty: kept.length === 0 },
    services: accountsServices({ keeper, onResult }),
    report: reportError,
  })
  return <AccountsView state={state} send={send} kept={kept} notice={notice} onLogIn={onLogIn} />
}
