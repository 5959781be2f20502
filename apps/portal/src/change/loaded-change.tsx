import type { Client } from '@portico/client/client'
import { FailureWithRetry } from '@portico/shell/failure-with-retry'
import { useLoad } from '@portico/shell/use-call'
import type { ReactNode } from 'react'
import { useEnvironment } from '../environment.ts'
import { type AccountChangeProps, ChangeDialog, useConfirmation } from './change-dialog.tsx'

export type LoadedChangeProps<Loaded> = AccountChangeProps & {
  title: string
  wide?: boolean
  load: (client: Client, signal: AbortSignal) => Promise<Loaded>
  /** Shown while loading. */
  placeholder: ReactNode
  /** The form of the change. */
  children: (loaded: Loaded, client: Client) => ReactNode
}

/** The dialog of an account change that first loads what its form shows. */
export function LoadedChange<Loaded>({
  account,
  title,
  wide = false,
  load,
  placeholder,
  onResult,
  children,
}: LoadedChangeProps<Loaded>) {
  const { reportError } = useEnvironment()
  const { client, pendingConfirmation } = useConfirmation()
  const { result, failure, retry } = useLoad((signal) => load(client, signal), reportError)
  return (
    <ChangeDialog
      account={account}
      confirmation={pendingConfirmation}
      title={title}
      wide={wide}
      onClose={() => onResult('closed')}
    >
      {result !== undefined ? (
        children(result, client)
      ) : failure !== undefined ? (
        <FailureWithRetry failure={failure} supportPhone={account.supportPhone} onRetry={retry} />
      ) : (
        placeholder
      )}
    </ChangeDialog>
  )
}
