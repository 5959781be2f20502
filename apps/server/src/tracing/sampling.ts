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

const SAMPLED = 1

/** The maximum number of traces per second, because any client can claim that its trace is sampled. */
const TRACES_PER_SECOND = 100

/** The position in the header of the 52 random bits of the trace ID that other tracers also use to sample. */
const RANDOM_PART = [19, 32] as const
/** The position of the flags. */
const FLAGS = 53

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

  return {
    ofRequest(traceparent) {
      if (traceparent !== undefined && isLeftOut(traceparent, ratio)) return undefined
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

/** Whether neither the caller nor the ID selects the trace. Checked before the header is validated, which is slower. */
function isLeftOut(traceparent: string, ratio: number): boolean {
  const [from, to] = RANDOM_PART
  const fraction = Number.parseInt(traceparent.slice(from, to), 16) / 16 ** (to - from)
  return fraction >= ratio && (Number.parseInt(traceparent.slice(FLAGS), 16) & SAMPLED) === 0
}
