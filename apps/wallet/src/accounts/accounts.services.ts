import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { KeyKeeper } from '../key-keeper.ts'
import { isLocked } from '../session-gone.ts'
import type { Command, Event, Result } from './accounts.flow.ts'

/** What the accounts lean on. */
export interface AccountsDeps {
  readonly keeper: Pick<KeyKeeper, 'make' | 'rename' | 'lock'>
  readonly onResult: (result: Result) => void
}

/** Carries out what is done with accounts; each service reports back with an event. */
export function accountsServices({ keeper, onResult }: AccountsDeps): Services<Event, Command> {
  return {
    async save({ form, values: { name, words } }) {
      try {
        await (form.kind === 'rename'
          ? keeper.rename({ address: form.address, name })
          : keeper.make({ name, words }))
        return { type: 'saved' }
      } catch (error) {
        const failure = failureOf(error)
        return isLocked(failure) ? { type: 'locked' } : { type: 'refused', failure }
      }
    },
    async lock() {
      try {
        await keeper.lock()
        return { type: 'locked' }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    handBack: ({ result }) => onResult(result),
  }
}
