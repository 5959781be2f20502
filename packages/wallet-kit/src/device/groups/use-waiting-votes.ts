import { useEffect, useEffectEvent, useState } from 'react'
import { voterOf } from './group-accounts.ts'
import type { GroupReader } from './group-reader.ts'
import type { GroupsEnvironment } from './groups-environment.ts'

const REFRESH_MS = 30_000

/** The number of proposals that wait for a vote of this wallet; 0 while the chain cannot be reached. */
export function useWaitingVotes(
  groups: GroupReader | undefined,
  { accounts: readAccounts, subscribe }: Pick<GroupsEnvironment, 'accounts' | 'subscribe'>,
): number {
  const [count, setCount] = useState(0)
  const refresh = useEffectEvent(async (isCurrent: () => boolean) => {
    if (groups === undefined) return
    const accounts = await readAccounts()
    const proposals = await groups.listProposals(accounts.map(({ address }) => address))
    const waiting = proposals.filter((proposal) => voterOf(proposal, accounts) !== undefined)
    if (isCurrent()) setCount(waiting.length)
  })
  useEffect(() => {
    let isMounted = true
    // Only a hint: the screen of the groups reports failures.
    const update = () => void refresh(() => isMounted).catch(() => undefined)
    update()
    const stop = subscribe(update)
    const timer = setInterval(update, REFRESH_MS)
    return () => {
      isMounted = false
      stop()
      clearInterval(timer)
    }
  }, [subscribe])
  return count
}
