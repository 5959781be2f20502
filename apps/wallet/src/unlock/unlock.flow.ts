import { flow, type Next } from '@portico/flow'
import type { ConfirmationMethod } from '@portico/rules/confirmation-methods'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** The wallet's owner, with the confirmation methods available in this browser. */
interface Owner {
  readonly email: string
  readonly methods: readonly ConfirmationMethod[]
}

/** Unlocking the wallet: loads the owner's confirmation methods, then confirms the owner's identity. */
export type State =
  | { step: 'reading' }
  | { step: 'confirming'; owner: Owner }
  | { step: 'stopped'; failure: Failure }

export type Event =
  | { type: 'ownerRead'; owner: Owner }
  | { type: 'refused'; failure: Failure }
  | { type: 'retried' }

export type Command = { type: 'readOwner' }

const read = (): Next<State, Command> => [{ step: 'reading' }, { type: 'readOwner' }]

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
