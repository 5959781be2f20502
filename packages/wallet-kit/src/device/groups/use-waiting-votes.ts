import { useEffect, useEffectEvent, useState } from 'react'
import { useDeviceEnvironment } from '../environment.ts'
import { voterOf } from './group-accounts.ts'

const REFRESH_MS = 30_000

/** The number of proposals that wait for a vote of this wallet; 0 while the chain cannot be reached. */
export function useWaitingVotes(): number {
  const { keeper, groups } = useDeviceEnvironment()
  const [count, setCount] = useState(0)
  const refresh = useEffectEvent(async (isCurrent: () => boolean) => {
    if (groups === undefined) return
    const accounts = await keeper.accounts()
    const proposals = await groups.listProposals(accounts.map(({ address }) => address))
    const waiting = proposals.filter((proposal) => voterOf(proposal, accounts) !== undefined)
    if (isCurrent()) setCount(waiting.length)
  })
  useEffect(() => {
    let isMounted = true
    // Only a hint: the screen of the groups reports failures.
    const update = () => void refresh(() => isMounted).catch(() => undefined)
    update()
    const stop = keeper.subscribe(update)
    const timer = setInterval(update, REFRESH_MS)
    return () => {
      isMounted = false
      stop()
      clearInterval(timer)
    }
  }, [keeper])
  return count
}
