import { environmentContext } from '@portico/shell/environment-context'
import type { ReactNode } from 'react'
import type { WalletAccount } from '../../key-keeper.ts'

/** The dependencies of the screens of groups, beside those of the approval that they show. */
export interface GroupsEnvironment {
  readonly accounts: () => Promise<readonly WalletAccount[]>
  /** Calls back when the accounts may have changed; returns a function that removes the listener. */
  readonly subscribe: (listener: () => void) => () => void
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly reportError: (error: unknown) => void
  /** Renders the form that confirms the user's identity for an approval. */
  readonly unlock: (onUnlocked: () => void, approvalId?: string) => ReactNode
  /** Undefined if the wallet needs no login. */
  readonly onLogIn?: (() => void) | undefined
}

export const {
  EnvironmentContext: GroupsEnvironmentContext,
  useEnvironment: useGroupsEnvironment,
} = environmentContext<GroupsEnvironment>()
