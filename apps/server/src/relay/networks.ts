import type { Clock } from '../clock.ts'
import { Bucket } from './bucket.ts'
import type { RelayLimits } from './limits.ts'

/** What one network may use of this node. */
export interface NetworkBudget {
  connections: number
  /** Subscriptions of all its connections. */
  topics: number
  readonly traffic: Bucket
  readonly queued: Bucket
}

/** Networks remembered at the same time; past that, those without a connection are forgotten, the oldest first. */
const NETWORKS_MAXIMUM = 100_000

/** Keeps the budgets of networks: each has its own, so that one that floods the relay takes nothing from another. */
export function networkBudgets(limits: RelayLimits, clock: Clock) {
  const budgets = new Map<string, NetworkBudget>()

  function budgetOf(network: string): NetworkBudget {
    const known = budgets.get(network)
    if (known !== undefined) return known
    if (budgets.size >= NETWORKS_MAXIMUM) forget(() => true)
    const budget = {
      connections: 0,
      topics: 0,
      traffic: new Bucket(limits.bytesAtOncePerNetwork, limits.bytesPerSecondPerNetwork, clock),
      queued: new Bucket(
        limits.queuedBytesPerNetwork,
        (limits.queuedBytesPerNetwork / limits.queueLifetimeMs) * 1000,
        clock,
      ),
    }
    budgets.set(network, budget)
    return budget
  }

  /** Forgets networks without a connection; one that spent a budget is kept, or it would come back with a fresh one. */
  function forget(which: (budget: NetworkBudget) => boolean): void {
    for (const [network, budget] of budgets) {
      if (budget.connections === 0 && which(budget)) budgets.delete(network)
    }
  }

  return {
    /** The budget of a network that opens one more connection; none where it has too many. */
    enter(network: string): NetworkBudget | undefined {
      const budget = budgetOf(network)
      if (budget.connections >= limits.connectionsPerNetwork) return undefined
      budget.connections += 1
      return budget
    },
    /** Forgets networks that have nothing open and nothing spent. */
    sweep: () => forget(({ traffic, queued }) => traffic.isFull() && queued.isFull()),
  }
}
