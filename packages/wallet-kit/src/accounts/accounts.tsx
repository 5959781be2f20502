import { useFlow } from '@portico/flow/react'
import type { ReactNode } from 'react'
import { useWalletEnvironment } from '../environment.ts'
import type { WalletAccount } from '../key-keeper.ts'
import { accounts, type Result } from './accounts.flow.ts'
import { accountsServices } from './accounts.services.ts'
import { AccountsView, type RenderConfirmation } from './accounts.view.tsx'

export type { RenderConfirmation } from './accounts.view.tsx'

/** The accounts of the wallet. Calls back when they have changed or the wallet was locked. */
export function Accounts({
  list,
  notice,
  confirm,
  onResult,
  onLogIn,
}: {
  list: readonly WalletAccount[]
  /** Shown above the list. */
  notice?: ReactNode
  confirm: RenderConfirmation
  onResult: (result: Result) => void
  onLogIn: () => void
}) {
  const { keyKeeper, reportError } = useWalletEnvironment()
  const [state, send] = useFlow(accounts, {
    input: { empty: list.length === 0 },
    services: accountsServices({ keyKeeper, onResult }),
    report: reportError,
  })
  return (
    <AccountsView
      state={state}
      send={send}
      list={list}
      notice={notice}
      confirm={confirm}
      onLogIn={onLogIn}
    />
  )
}
