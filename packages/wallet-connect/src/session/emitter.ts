import type { BroadcastEventData, BroadcastEventName } from './events.ts'

type Listener = (data: never) => void

/** The event listeners of a session. A listener that throws does not stop the others. */
export interface Emitter {
  readonly add: <Name extends BroadcastEventName>(
    event: Name,
    listener: (data: BroadcastEventData[Name]) => void,
  ) => void
  readonly remove: (event: BroadcastEventName | 'all', listener?: Listener) => void
  readonly emit: (event: BroadcastEventName, data: unknown) => void
}

/** Creates an emitter; errors thrown by listeners go to `report`. */
export function createEmitter(report: (error: unknown) => void): Emitter {
  const listeners = new Map<BroadcastEventName, Listener[]>()
  return {
    add: (event, listener) => {
      listeners.set(event, [...(listeners.get(event) ?? []), listener])
    },
    remove: (event, listener) => {
      if (event === 'all') return listeners.clear()
      const remaining = (listeners.get(event) ?? []).filter((each) => each !== listener)
      listeners.set(event, listener === undefined ? [] : remaining)
    },
    emit: (event, data) => {
      for (const listener of listeners.get(event) ?? []) {
        try {
          // The flow table emits each event with the data type of its name.
          listener(data as never)
        } catch (error) {
          report(error)
        }
      }
    },
  }
}
