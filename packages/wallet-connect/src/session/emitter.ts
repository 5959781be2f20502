import type { BroadcastEventData } from './broadcast-events.ts'
import type { BroadcastEventName } from './window-messages.ts'

type Listener = (data: never) => void

/** Listeners of a session's events. Each is called once per event, and one that throws keeps no other from hearing. */
export interface Emitter {
  readonly add: <Name extends BroadcastEventName>(
    event: Name,
    listener: (data: BroadcastEventData[Name]) => void,
  ) => void
  readonly remove: (event: BroadcastEventName | 'all', listener?: Listener) => void
  readonly emit: (event: BroadcastEventName, data: unknown) => void
}

/** Makes an emitter; what listeners throw is the page's defect and goes to `report`. */
export function createEmitter(report: (error: unknown) => void): Emitter {
  const listeners = new Map<BroadcastEventName, Listener[]>()
  return {
    add: (event, listener) => {
      listeners.set(event, [...(listeners.get(event) ?? []), listener])
    },
    remove: (event, listener) => {
      if (event === 'all') return listeners.clear()
      const kept = (listeners.get(event) ?? []).filter((each) => each !== listener)
      listeners.set(event, listener === undefined ? [] : kept)
    },
    emit: (event, data) => {
      for (const listener of listeners.get(event) ?? []) {
        try {
          // The table announces each event with the data its name stands for.
          listener(data as never)
        } catch (error) {
          report(error)
        }
      }
    },
  }
}
