import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Setting up an authenticator app; the account changes only after its first code is confirmed. */
export type State =
  | { step: 'beginning' }
  | { step: 'stopped'; failure: Failure }
  | { step: 'scanning'; secret: string; uri: string; busy: boolean; failure?: Failure | undefined }
  | { step: 'left' }

export type Result = 'changed' | 'closed'

export type Event =
  | { type: 'begun'; secret: string; uri: string }
  | { type: 'retried' }
  | { type: 'codeSubmitted'; code: string }
  | { type: 'confirmed' }
  | { type: 'refused'; failure: Failure }
  | { type: 'closed' }

export type Command =
  | { type: 'begin' }
  | { type: 'confirm'; code: string }
  | { type: 'returnResult'; result: Result }

const leave = (result: Result): Next<State, Command> => [
  { step: 'left' },
  { type: 'returnResult', result },
]
const closed = () => leave('closed')

export const authenticator = flow<State, Event, Command, null>({
  name: 'authenticator',
  begin: () => [{ step: 'beginning' }, { type: 'begin' }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    beginning: {
      begun: (_, { secret, uri }) => [{ step: 'scanning', secret, uri, busy: false }],
      refused: (_, { failure }) => [{ step: 'stopped', failure }],
      closed,
    },
    stopped: {
      retried: () => [{ step: 'beginning' }, { type: 'begin' }],
      closed,
    },
    scanning: {
      codeSubmitted: (state, { code }) =>
        state.busy
          ? [state]
          : [
              { ...state, busy: true, failure: undefined },
              { type: 'confirm', code },
            ],
      confirmed: () => leave('changed'),
      refused: (state, { failure }) => [{ ...state, busy: false, failure }],
      closed,
    },
    left: {},
  },
})
