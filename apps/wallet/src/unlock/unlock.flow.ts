import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** What somebody can prove themselves with, beside a code by e-mail. */
interface Ways {
  readonly hasPassword: boolean
  readonly totpEnabled: boolean
}

/** Opening a locked wallet: first it is read how this person can prove who they are. */
export type State =
  | { step: 'reading' }
  | { step: 'confirming'; ways: Ways }
  | { step: 'stopped'; failure: Failure }

/** What unlocking hears. */
export type Event =
  | { type: 'waysRead'; ways: Ways }
  | { type: 'refused'; failure: Failure }
  | { type: 'retried' }

/** What unlocking has done. */
export type Command = { type: 'readWays' }

const read = (): Next<State, Command> => [{ step: 'reading' }, { type: 'readWays' }]

/** The table of unlocking. */
export const unlock = flow<State, Event, Command, null>({
  name: 'unlock-wallet',
  begin: read,
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    reading: {
      waysRead: (_, { ways }) => [{ step: 'confirming', ways }],
      refused: (_, { failure }) => [{ step: 'stopped', failure }],
    },
    confirming: {},
    stopped: { retried: read },
  },
})
