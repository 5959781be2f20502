import { Counter, type Registry } from 'prom-client'

export interface TelemetryMetrics {
  readonly countSession: () => void
  readonly countEvent: (outcome: 'stored' | 'deduped') => void
  /** Counts refused calls by response status. */
  readonly countRefusal: (status: number) => void
}

export function telemetryMetrics(registry: Registry): TelemetryMetrics {
  const registers = [registry]
  const sessions = new Counter({
    name: 'portico_telemetry_sessions_total',
    help: 'Telemetry sessions started.',
    registers,
  })
  const events = new Counter({
    name: 'portico_telemetry_events_total',
    help: 'Telemetry events accepted, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const refusals = new Counter({
    name: 'portico_telemetry_refusals_total',
    help: 'Telemetry calls refused, by status.',
    labelNames: ['status'],
    registers,
  })
  const outcomes = { stored: events.labels('stored'), deduped: events.labels('deduped') }
  return {
    countSession: () => sessions.inc(),
    countEvent: (outcome) => outcomes[outcome].inc(),
    countRefusal: (status) => refusals.inc({ status }),
  }
}
