import type { Services } from '@portico/flow'
import type { Failure } from '@portico/shell/failure'
import { failureOf } from '@portico/shell/failure-of'
import type { Command, Event, Result, Values } from './change.flow.ts'

/** What a change leans on. */
export interface ChangeDeps {
  /** The change; gives a failure where the browser did not do its part. @throws ApiError - where a call is refused */
  readonly change: (values: Values) => Promise<Failure | undefined>
  readonly onResult: (result: Result) => void
}

/** Carries out a change; it reports back with an event. */
export function changeServices({ change, onResult }: ChangeDeps): Services<Event, Command> {
  return {
    async change({ values }) {
      try {
        const failure = await change(values)
        return failure === undefined ? { type: 'changed' } : { type: 'refused', failure }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    handBack: ({ result }) => onResult(result),
  }
}
