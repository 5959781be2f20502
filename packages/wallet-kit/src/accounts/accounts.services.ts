import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { KeyKeeper } from '../key-keeper.ts'
import { isLocked } from '../session-gone.ts'
import type { Command, Event, Result } from './accounts.flow.ts'

export interface AccountsDeps {
  readonly keyKeeper: Pick<KeyKeeper, 'create' | 'rename' | 'lock'>
  readonly onResult: (result: Result) => void
}

export function accountsServices({ keyKeeper, onResult }: AccountsDeps): Services<Event, Command> {
  return {
    async save({ form, values: { name, words } }) {
      try {
        await (form.kind === 'rename'
          ? keyKeeper.rename({ address: form.address, name })
          : keyKeeper.create({ name, words }))
        return { type: 'saved' }
      } catch (error) {
        const failure = failureOf(error)
        if (isLocked(failure)) return { type: 'locked' }
        return failure.reason === 'confirmation-needed'
          ? { type: 'confirmationNeeded' }
          : { type: 'refused', failure }
      }
    },
    async lock() {
      try {
        await keyKeeper.lock()
        return { type: 'locked' }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    returnResult: ({ result }) => onResult(result),
  }
}
