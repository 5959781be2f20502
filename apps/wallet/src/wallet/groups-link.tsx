import { RowButton } from '@portico/ui/row-button'
import type { WalletAccount } from '@portico/wallet-kit/key-keeper'
import { useWaitingVotes } from '@portico/wallet-kit/use-waiting-votes'
import { useMemo } from 'react'
import { useEnvironment } from '../environment.ts'
import styles from './wallet.module.css'

/** Opens the groups, and says how many proposals wait for the user's vote. */
export function GroupsLink({
  accounts,
  onOpen,
}: {
  accounts: readonly WalletAccount[]
  onOpen: () => void
}) {
  const { groups } = useEnvironment()
  const source = useMemo(
    () => ({ accounts: async () => accounts, subscribe: () => () => undefined }),
    [accounts],
  )
  const votes = useWaitingVotes(groups, source)
  return (
    <div className={styles.groups}>
      <RowButton
        title="Groups"
        details={
          votes === 0
            ? 'What your groups decide, and their members'
            : `${votes} waiting for your vote`
        }
        onClick={onOpen}
      />
    </div>
  )
}
