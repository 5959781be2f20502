import { Counter, type Registry } from 'prom-client'

export type CountAttempt = (outcome: 'delivered' | 'failed' | 'given-up') => void

/** Counts the attempts to deliver webhooks. */
export function webhookMetrics(registry: Registry): CountAttempt {
  const attempts = new Counter({
    name: 'portico_webhook_attempts_total',
    help: 'Attempts to deliver a webhook.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of ['delivered', 'failed', 'given-up']) attempts.inc({ outcome }, 0)
  return (outcome) => attempts.inc({ outcome })
}
