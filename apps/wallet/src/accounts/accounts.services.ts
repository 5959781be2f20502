import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { KeyStore } from '../key-store.ts'
import { isLocked } from '../session-gone.ts'
import type { Command, Event, Result } from './accounts.flow.ts'

export interface AccountsDeps {
  readonly keyStore: Pick<KeyStore, 'create' | 'rename' | 'lock'>
  readonly onResult: (result: Result) => void
}

export function accountsServices({ keyStore, onResult }: AccountsDeps): Services<Event, Command> {
  return {
    async save({ form, values: { name, words } }) {
      try {
        await (form.kind === 'rename'
          ? keyStore.rename({ address: form.address, name })
          : keyStore.create({ name, words }))
        return { type: 'saved' }
      } catch (error) {
        const failure = failureOf(error)
        return isLocked(failure) ? { type: 'locked' } : { type: 'refused', failure }
      }
    },
    async lock() {
      try {
        await keyStore.lock()
        return { type: 'locked' }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    returnResult: ({ result }) => onResult(result),
  }
}
