import type { SecurityQuestion } from '@portico/contracts/two-factor'
import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** A question with its answer. */
interface Answer {
  readonly question: string
  readonly answer: string
}

/** Choosing recovery questions and answering them. */
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

/** What the page hears of it. */
export type Result = 'changed' | 'closed'

/** What the dialog hears. */
export type Event =
  | { type: 'catalogueRead'; catalogue: readonly SecurityQuestion[] }
  | { type: 'retried' }
  | { type: 'answersGiven'; answers: readonly Answer[] }
  | { type: 'saved' }
  | { type: 'refused'; failure: Failure }
  | { type: 'closed' }

/** What the dialog has done. */
export type Command =
  | { type: 'readCatalogue' }
  | { type: 'save'; answers: readonly Answer[] }
  | { type: 'handBack'; result: Result }

const read = (): Next<State, Command> => [{ step: 'reading' }, { type: 'readCatalogue' }]
const leave = (result: Result): Next<State, Command> => [
  { step: 'left' },
  { type: 'handBack', result },
]
const closed = () => leave('closed')

/** The table of the dialog. */
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
      answersGiven: (state, { answers }) =>
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
