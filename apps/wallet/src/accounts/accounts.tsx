import { useFlow } from '@portico/flow/react'
import type { ReactNode } from 'react'
import { useEnvironment } from '../environment.ts'
import type { KeyStoreAccount } from '../key-store.ts'
import { accounts, type Result } from './accounts.flow.ts'
import { accountsServices } from './accounts.services.ts'
import { AccountsView } from './accounts.view.tsx'

/** The accounts of the wallet. Calls back when they have changed or the wallet was locked. */
export function Accounts({
  list,
  notice,
  onResult,
  onLogIn,
}: {
  list: readonly KeyStoreAccount[]
  /** Shown above the list. */
  notice?: ReactNode
  onResult: (result: Result) => void
  onLogIn: () => void
}) {
  const { keyStore, reportError } = useEnvironment()
  const [state, send] = useFlow(accounts, {
    input: { empty: list.length === 0 },
    services: accountsServices({ keyStore, onResult }),
    report: reportError,
  })
  return <AccountsView state={state} send={send} list={list} notice={notice} onLogIn={onLogIn} />
}
