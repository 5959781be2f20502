import type { Clock } from '../clock.ts'
import type { RelayLimits } from './limits.ts'
import { TokenBucket } from './token-bucket.ts'

/** The resources of this node that one network uses. */
export interface NetworkBudget {
  connections: number
  /** The subscriptions of all its connections. */
  topics: number
  readonly traffic: TokenBucket
  readonly queued: TokenBucket
}

/** The maximum number of budgets; beyond it, those of networks without a connection are removed. */
const MAX_NETWORKS = 100_000

/** Tracks a budget per network, so that a network that floods the relay does not affect others. */
export function networkBudgets(limits: RelayLimits, clock: Clock) {
  const budgets = new Map<string, NetworkBudget>()

  function budgetOf(network: string): NetworkBudget {
    const known = budgets.get(network)
    if (known !== undefined) return known
    if (budgets.size >= MAX_NETWORKS) remove(() => true)
    const budget = {
      connections: 0,
      topics: 0,
      traffic: new TokenBucket(
        limits.bytesAtOncePerNetwork,
        limits.bytesPerSecondPerNetwork,
        clock,
      ),
      queued: new TokenBucket(
        limits.queuedBytesPerNetwork,
        (limits.queuedBytesPerNetwork / limits.queueLifetimeMs) * 1000,
        clock,
      ),
    }
    budgets.set(network, budget)
    return budget
  }

  /** Removes matching budgets of networks without a connection. */
  function remove(matches: (budget: NetworkBudget) => boolean): void {
    for (const [network, budget] of budgets) {
      if (budget.connections === 0 && matches(budget)) budgets.delete(network)
    }
  }

  return {
    /** Counts another connection of a network and returns its budget; undefined if it has too many. */
    enter(network: string): NetworkBudget | undefined {
      const budget = budgetOf(network)
      if (budget.connections >= limits.connectionsPerNetwork) return undefined
      budget.connections += 1
      return budget
    },
    /**
     * Removes unused budgets. A partly spent one stays, because the network would otherwise return with a fresh one.
     */
    sweep: () => remove(({ traffic, queued }) => traffic.isFull() && queued.isFull()),
  }
}
