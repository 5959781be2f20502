import { useCall } from '@portico/shell/use-call'
import { useEffect, useEffectEvent, useState } from 'react'

/** Loads a value when the component mounts, and again after each change. A later load replaces an earlier one. */
export function useLive<Value>(
  load: () => Promise<Value>,
  subscribe: (listener: () => void) => () => void,
  reportError: (error: unknown) => void,
) {
  const [value, setValue] = useState<Value>()
  const { failure, run, cancel } = useCall(reportError)
  const reload = () => {
    cancel()
    // Without the signal: the extension sends the arguments to its worker, which rejects an unexpected one.
    run(() => load(), setValue)
  }
  const start = useEffectEvent(reload)
  useEffect(() => {
    let isMounted = true
    // One microtask later, so that React's double mount in Strict Mode does not load twice.
    queueMicrotask(() => isMounted && start())
    const stop = subscribe(() => start())
    return () => {
      isMounted = false
      stop()
    }
  }, [subscribe])
  return { value, failure, reload }
}
