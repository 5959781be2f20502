import { Counter, type Registry } from 'prom-client'
import type { MessagesTable } from '../database/tables.ts'

export type CountAttempt = (
  channel: MessagesTable['channel'],
  outcome: 'sent' | 'failed' | 'given-up',
) => void

/** Counts the attempts to send mails and text messages. */
export function outboxMetrics(registry: Registry): CountAttempt {
  const attempts = new Counter({
    name: 'portico_outbox_attempts_total',
    help: 'Attempts to send a mail (email) or text message (sms), by outcome.',
    labelNames: ['channel', 'outcome'],
    registers: [registry],
  })
  for (const outcome of ['sent', 'failed', 'given-up']) {
    attempts.inc({ channel: 'email', outcome }, 0)
  }
  return (channel, outcome) => attempts.inc({ channel, outcome })
}
