import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Failure, UNEXPECTED } from './failure.ts'
import { failureOf } from './failure-of.ts'

interface CallState {
  readonly pending: boolean
  /** Why the last call failed. */
  readonly failure?: Failure | undefined
}

const IDLE: CallState = { pending: false }

/**
 * The call of a form or dialog, one at a time: while it is pending, further calls are ignored. `cancel` and unmounting
 * abort it and drop its result. A rejected call sets `failure`; any other error is a defect and is also reported.
 */
export function useCall(reportError: (error: unknown) => void) {
  const [state, setState] = useState(IDLE)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => abort(running), [])
  return {
    ...state,
    fail: (failure: Failure) => setState({ pending: false, failure }),
    cancel() {
      abort(running)
      setState(IDLE)
    },
    run<Result>(
      call: (signal: AbortSignal) => Promise<Result>,
      onDone: (result: Result) => void,
    ): void {
      if (running.current !== undefined) return
      const current = new AbortController()
      running.current = current
      setState({ pending: true })
      const settle = (next: CallState) => {
        running.current = undefined
        setState(next)
      }
      call(current.signal).then(
        (result) => {
          if (current.signal.aborted) return
          settle(IDLE)
          onDone(result)
        },
        (error: unknown) => {
          if (current.signal.aborted) return
          settle({ pending: false, failure: shownFailure(error, reportError) })
        },
      )
    },
  }
}

function shownFailure(error: unknown, reportError: (error: unknown) => void): Failure {
  try {
    return failureOf(error)
  } catch (defect) {
    reportError(defect)
    return UNEXPECTED
  }
}

function abort(running: { current: AbortController | undefined }): void {
  running.current?.abort()
  running.current = undefined
}

/** Loads what a dialog or page shows, once it is mounted and on `retry`; `reload` also replaces a load that is pending. */
export function useLoad<Result>(
  load: (signal: AbortSignal) => Promise<Result>,
  reportError: (error: unknown) => void,
) {
  const [result, setResult] = useState<Result>()
  const { cancel, failure, run } = useCall(reportError)
  const retry = () => run(load, setResult)
  const reload = () => {
    cancel()
    retry()
  }
  const start = useEffectEvent(retry)
  useEffect(() => {
    let mounted = true
    // One microtask later, so that React's double mount in Strict Mode does not load twice.
    queueMicrotask(() => mounted && start())
    return () => {
      mounted = false
    }
  }, [])
  return { result, failure, retry, reload }
}
