import { flow, type Next } from '@portico/flow'
import type { ConfirmationMethod } from '@portico/rules/confirmation-methods'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Who has to prove themselves, and how they can in this browser. */
interface Owner {
  readonly email: string
  readonly methods: readonly ConfirmationMethod[]
}

/** Opening a locked wallet: first it is read who that is, and how they can prove it. */
export type State =
  | { step: 'reading' }
  | { step: 'confirming'; owner: Owner }
  | { step: 'stopped'; failure: Failure }

/** What unlocking hears. */
export type Event =
  | { type: 'ownerRead'; owner: Owner }
  | { type: 'refused'; failure: Failure }
  | { type: 'retried' }

/** What unlocking has done. */
export type Command = { type: 'readOwner' }

const read = (): Next<State, Command> => [{ step: 'reading' }, { type: 'readOwner' }]

/** The table of unlocking. */
export const unlock = flow<State, Event, Command, null>({
  name: 'unlock-wallet',
  begin: read,
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    reading: {
      ownerRead: (_, { owner }) => [{ step: 'confirming', owner }],
      refused: (_, { failure }) => [{ step: 'stopped', failure }],
    },
    confirming: {},
    stopped: { retried: read },
  },
})
