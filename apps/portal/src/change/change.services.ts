import type { Services } from '@portico/flow'
import type { Failure } from '@portico/shell/failure'
import { failureOf } from '@portico/shell/failure-of'
import type { Command, Event, Result, Values } from './change.flow.ts'

export interface ChangeDeps {
  /** Performs the change; returns a failure if the browser could not do its part. @throws ApiError */
  readonly change: (values: Values) => Promise<Failure | undefined>
  readonly onResult: (result: Result) => void
}

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
    returnResult: ({ result }) => onResult(result),
  }
}
