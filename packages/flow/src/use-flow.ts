import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Flow, type RunningFlow, runFlow, type Services } from './flow.ts'

export interface FlowOptions<
  State extends { step: string },
  Event extends { type: string },
  Command extends { type: string },
  Input,
> {
  readonly input: Input
  readonly services: Services<Event, Command>
  readonly report: (error: unknown) => void
  /** The flow stops when the component is unmounted, or once this is false: for example, while it is saving. */
  readonly isUnfinished?: (state: State) => boolean
}

/**
 * Runs a flow while the component is mounted. The options are read once, when it starts. The flow
 * starts one microtask after mounting, so that React's double mount in Strict Mode does not run its commands twice. Until
 * then, and during server-side rendering, the state is the initial one.
 */
export function useFlow<
  State extends { step: string },
  Event extends { type: string },
  Command extends { type: string },
  Input,
>(
  declared: Flow<State, Event, Command, Input>,
  options: FlowOptions<State, Event, Command, Input>,
): [State, (event: Event) => void] {
  const [host] = useState(() => {
    const listeners = new Set<() => void>()
    const [first] = declared.begin(options.input)
    let running: RunningFlow<State, Event> | undefined
    return {
      state: () => running?.state() ?? first,
      send: (event: Event) => running?.send(event),
      subscribe(listener: () => void) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      mount() {
        let mounted = true
        queueMicrotask(() => {
          if (!mounted) return
          running = runFlow(declared, options.input, options.services, options.report)
          running.subscribe(() => {
            for (const listener of listeners) listener()
          })
        })
        return () => {
          mounted = false
          const left = running
          running = undefined
          const stopOnceFinished = () => {
            if (left && !options.isUnfinished?.(left.state())) left.stop()
          }
          left?.subscribe(stopOnceFinished)
          stopOnceFinished()
        }
      },
    }
  })
  useEffect(() => host.mount(), [host])
  const state = useSyncExternalStore(host.subscribe, host.state, host.state)
  return [state, host.send]
}
