import { Counter, type Registry } from 'prom-client'

/** What telemetry tells about itself. */
export interface TelemetryMetrics {
  readonly countSession: () => void
  readonly countEvent: (outcome: 'stored' | 'deduped') => void
  /** Counts what was not taken, by the status of the answer. */
  readonly countRefusal: (status: number) => void
}

/** Registers telemetry's metrics. */
export function telemetryMetrics(registry: Registry): TelemetryMetrics {
  const registers = [registry]
  const sessions = new Counter({
    name: 'portico_telemetry_sessions_total',
    help: 'Telemetry sessions begun.',
    registers,
  })
  const events = new Counter({
    name: 'portico_telemetry_events_total',
    help: 'Telemetry events taken, by what became of them.',
    labelNames: ['outcome'],
    registers,
  })
  const refusals = new Counter({
    name: 'portico_telemetry_refusals_total',
    help: 'Calls of telemetry that were refused, by status.',
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
