/**
 * Sends spans to a collector in batches: OTLP as JSON over HTTP. A slow, unavailable or hostile collector only costs lost
 * spans, which are counted, and bounded memory and time: nothing waits for it, nothing is sent twice, and its response is
 * not read.
 */
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { resultWithin } from '../redis/redis.ts'
import type { RecordSpan, Span } from './tracing.ts'

const MAX_QUEUE = 2048
const BATCH = 512
const INTERVAL_MS = 2000
const TIMEOUT_MS = 5000
const LAST_TIMEOUT_MS = 1000

const ERROR = 2

export interface SpanExporter {
  readonly record: RecordSpan
  /** Sends the queued spans, within a second. */
  readonly stop: () => Promise<void>
}

export function openSpanExporter(deps: {
  /** The URL to which spans are posted. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly version: string
  readonly registry: Registry
  readonly log: Logger
}): SpanExporter {
  const { url, version, registry, log } = deps
  const headers = { ...deps.headers, 'content-type': 'application/json' }
  const spans = new Counter({
    name: 'portico_trace_spans_total',
    help: 'Spans sent to the collector, or dropped because it is slow or unavailable.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of ['sent', 'dropped']) spans.inc({ outcome }, 0)
  let queue: Span[] = []
  let sending: Promise<void> | undefined
  let isFailing = false

  async function sendAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH)
      queue = queue.slice(BATCH)
      const error = await post(batch).then(
        () => undefined,
        (cause: unknown) => cause,
      )
      spans.inc({ outcome: error === undefined ? 'sent' : 'dropped' }, batch.length)
      if (error !== undefined && !isFailing) {
        log.warn({ err: error }, 'the collector of traces does not accept spans')
      }
      isFailing = error !== undefined
    }
  }

  async function post(batch: readonly Span[]): Promise<void> {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(traceRequest(batch, version)),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`The collector answered ${response.status}`)
  }

  function send(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }

  const timer = setInterval(() => void send(), INTERVAL_MS)
  timer.unref()

  return {
    record(span) {
      if (queue.length < MAX_QUEUE) queue.push(span)
      else spans.inc({ outcome: 'dropped' })
    },
    async stop() {
      clearInterval(timer)
      await resultWithin(LAST_TIMEOUT_MS, send())
    },
  }
}

/** An `ExportTraceServiceRequest` of OTLP 1. */
function traceRequest(spans: readonly Span[], version: string): object {
  return {
    resourceSpans: [
      {
        resource: {
          attributes: attributesOf({
            'service.name': 'portico',
            'service.version': version,
            'service.instance.id': `${hostname()}:${process.pid}`,
          }),
        },
        scopeSpans: [{ scope: { name: 'portico', version }, spans: spans.map(spanOf) }],
      },
    ],
  }
}

function spanOf({ parentId, startedAt, endedAt, attributes, failed, ...span }: Span): object {
  return {
    ...span,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributesOf(attributes),
    ...(failed ? { status: { code: ERROR } } : {}),
  }
}

const attributesOf = (attributes: Span['attributes']) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: value } : { stringValue: value },
  }))

/** A number is not precise enough for nanoseconds since 1970. */
const nanoseconds = (ms: number) => `${BigInt(Math.round(ms * 1000)) * 1000n}`
