import {
  inTrace,
  newSpanId,
  newTraceId,
  type RecordSpan,
  type RequestContext,
  type StartTrace,
  TRACEPARENT,
  traced,
} from './tracing.ts'

/** The maximum number of traces per second, because any client can claim that its trace is sampled. */
const TRACES_PER_SECOND = 100

/** The position in the header of the 52 random bits of the trace ID that other tracers also use to sample. */
const RANDOM_PART = { from: 19, to: 32 } as const
/** The position of the last digit of the flags, and its values if the caller samples the trace. */
const LAST_FLAG = 54
const SAMPLED = '13579bdf'

export interface Sampler {
  /**
   * The trace context of a request, if it is sampled: because the caller sampled it, or by trace ID at the configured ratio,
   * because browsers send IDs but record nothing.
   */
  readonly ofRequest: (traceparent: string | undefined) => RequestContext | undefined
  readonly startTrace: StartTrace
}

export function openSampler({
  ratio,
  record,
}: {
  readonly ratio: number
  readonly record: RecordSpan
}): Sampler {
  let second = 0
  let recorded = 0
  function isWithinLimit(): boolean {
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) {
      second = now
      recorded = 0
    }
    recorded += 1
    return recorded <= TRACES_PER_SECOND
  }
  const isDrawn = () => Math.random() < ratio && isWithinLimit()
  const leftOutFrom = firstLeftOut(ratio)

  return {
    ofRequest(traceparent) {
      if (traceparent !== undefined && isLeftOut(traceparent, leftOutFrom)) return undefined
      const match = traceparent === undefined ? null : TRACEPARENT.exec(traceparent)
      if (match === null) {
        return isDrawn()
          ? { traceId: newTraceId(), parentId: undefined, spanId: newSpanId(), record }
          : undefined
      }
      const [, traceId = '', parentId] = match
      return isWithinLimit() ? { traceId, parentId, spanId: newSpanId(), record } : undefined
    },
    startTrace(name, work) {
      if (!isDrawn()) return work()
      const context = { traceId: newTraceId(), spanId: undefined, record }
      return inTrace(context, () => traced(name, work))
    },
  }
}

/** The lowest random part that the ratio does not select, as in the header. If it selects all, a text that is higher than any. */
function firstLeftOut(ratio: number): string {
  const digits = RANDOM_PART.to - RANDOM_PART.from
  return ratio < 1
    ? Math.ceil(ratio * 16 ** digits)
        .toString(16)
        .padStart(digits, '0')
    : 'g'
}

/** Whether neither the caller nor the ID selects the trace. Compares text, and before the header is validated, because that is faster. */
function isLeftOut(traceparent: string, leftOutFrom: string): boolean {
  return (
    traceparent.slice(RANDOM_PART.from, RANDOM_PART.to) >= leftOutFrom &&
    !SAMPLED.includes(traceparent.charAt(LAST_FLAG))
  )
}
