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

/** The most traces that a node records, because any client can claim that its trace is sampled. */
const TRACES_PER_SECOND = 100

/** The first 52 bits of the half of a trace ID that others use for the same decision. */
const RANDOM_PART = [16, 29] as const

export interface Sampler {
  /**
   * The context of a request, if it is recorded: because its caller records the trace, or by the ID of the trace at the ratio,
   * because a browser sends IDs but records nothing.
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
      const match = traceparent === undefined ? null : TRACEPARENT.exec(traceparent)
      if (match === null) {
        return isDrawn()
          ? { traceId: newTraceId(), parentId: undefined, spanId: newSpanId(), record }
          : undefined
      }
      const [, traceId = '', parentId = '', flags = ''] = match
      const isSampled =
        (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED || fractionOf(traceId) < ratio
      return isSampled && isWithinLimit()
        ? { traceId, parentId, spanId: newSpanId(), record }
        : undefined
    },
    startTrace(name, work) {
      if (!isDrawn()) return work()
      const context = { traceId: newTraceId(), spanId: undefined, record }
      return inTrace(context, () => traced(name, work))
    },
  }
}

/** A number from 0 to 1 that every node computes from the ID. */
function fractionOf(traceId: string): number {
  const [from, to] = RANDOM_PART
  return Number.parseInt(traceId.slice(from, to), 16) / 16 ** (to - from)
}
