import type { SecurityQuestion } from '@portico/contracts/two-factor'
import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** `question` is the question's UUID. */
interface Answer {
  readonly question: string
  readonly answer: string
}

/** Choosing and answering recovery questions. */
export type State =
  | { step: 'reading' }
  | { step: 'stopped'; failure: Failure }
  | {
      step: 'choosing'
      catalogue: readonly SecurityQuestion[]
      busy: boolean
      failure?: Failure | undefined
    }
  | { step: 'left' }

export type Result = 'changed' | 'closed'

export type Event =
  | { type: 'catalogueRead'; catalogue: readonly SecurityQuestion[] }
  | { type: 'retried' }
  | { type: 'answersSubmitted'; answers: readonly Answer[] }
  | { type: 'saved' }
  | { type: 'refused'; failure: Failure }
  | { type: 'closed' }

export type Command =
  | { type: 'readCatalogue' }
  | { type: 'save'; answers: readonly Answer[] }
  | { type: 'returnResult'; result: Result }

const read = (): Next<State, Command> => [{ step: 'reading' }, { type: 'readCatalogue' }]
const leave = (result: Result): Next<State, Command> => [
  { step: 'left' },
  { type: 'returnResult', result },
]
const closed = () => leave('closed')

export const questions = flow<State, Event, Command, null>({
  name: 'questions',
  begin: read,
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    reading: {
      catalogueRead: (_, { catalogue }) => [{ step: 'choosing', catalogue, busy: false }],
      refused: (_, { failure }) => [{ step: 'stopped', failure }],
      closed,
    },
    stopped: { retried: read, closed },
    choosing: {
      answersSubmitted: (state, { answers }) =>
        state.busy
          ? [state]
          : [
              { ...state, busy: true, failure: undefined },
              { type: 'save', answers },
            ],
      saved: () => leave('changed'),
      refused: (state, { failure }) => [{ ...state, busy: false, failure }],
      closed,
    },
    left: {},
  },
})
