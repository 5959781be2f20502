import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** What a connection pool reports. */
interface PoolState {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/**
 * Why a query failed: no connection in time; a connection that closed, or got no response and was given up; PostgreSQL canceled
 * it; or it was not sent because too many writes wait.
 */
const FAILURE_REASONS = [
  'no-connection',
  'connection-lost',
  'no-response',
  'statement-timeout',
  'writes-stalled',
] as const

type FailureReason = (typeof FAILURE_REASONS)[number]

export interface DatabaseMetrics {
  /** Reads a pool's state on each scrape. */
  readonly addPool: (pool: PoolState) => void
  /** Observes how long a query or transaction waited for a connection. */
  readonly observeWait: (seconds: number) => void
  readonly countError: (reason: FailureReason) => void
}

/** Usage of PostgreSQL connections. The embedded database has none. */
export function databaseMetrics(registry: Registry): DatabaseMetrics {
  const registers = [registry]
  const pools: PoolState[] = []
  const total = (read: (pool: PoolState) => number) =>
    pools.reduce((sum, pool) => sum + read(pool), 0)
  void new Gauge({
    name: 'portico_database_connections',
    help: 'Connections to PostgreSQL, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set(
        { state: 'in-use' },
        total((pool) => pool.totalCount - pool.idleCount),
      )
      this.set(
        { state: 'idle' },
        total((pool) => pool.idleCount),
      )
    },
  })
  void new Gauge({
    name: 'portico_database_waiting',
    help: 'Queries and transactions that wait for a connection to PostgreSQL.',
    registers,
    collect() {
      this.set(total((pool) => pool.waitingCount))
    },
  })
  const wait = new Histogram({
    name: 'portico_database_wait_seconds',
    help: 'How long queries and transactions waited for a connection to PostgreSQL.',
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 5, 10],
    registers,
  })
  const errors = new Counter({
    name: 'portico_database_errors_total',
    help: 'Failures of PostgreSQL, by reason.',
    labelNames: ['reason'],
    registers,
  })
  for (const reason of FAILURE_REASONS) errors.inc({ reason }, 0)
  return {
    addPool: (pool) => void pools.push(pool),
    observeWait: (seconds) => wait.observe(seconds),
    countError: (reason) => errors.inc({ reason }),
  }
}
