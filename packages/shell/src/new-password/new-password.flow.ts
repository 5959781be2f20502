import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '../failure.ts'

/** A password's strength, with a sentence on how to improve it. */
export interface Strength {
  readonly score: 0 | 1 | 2 | 3 | 4
  readonly advice: string
}

/** Choosing and saving a password. */
export type State =
  | { step: 'choosing'; strength?: Strength | undefined; failure?: Failure | undefined }
  | { step: 'saving'; password: string; strength?: Strength | undefined }
  | { step: 'left'; result: Result }

export type Result = 'set' | 'closed'

export type Event =
  | { type: 'passwordTyped'; password: string }
  | { type: 'measured'; strength: Strength | undefined }
  | { type: 'passwordSubmitted'; password: string }
  | { type: 'saved' }
  | { type: 'refused'; failure: Failure }
  | { type: 'closed' }

export type Command =
  | { type: 'measure'; password: string }
  | { type: 'save'; password: string }
  | { type: 'returnResult'; result: Result }

const leave = (result: Result): Next<State, Command> => [
  { step: 'left', result },
  { type: 'returnResult', result },
]

export const newPassword = flow<State, Event, Command, null>({
  name: 'new-password',
  begin: () => [{ step: 'choosing' }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    choosing: {
      // The server's weak-password error applies to the previous input.
      passwordTyped: ({ strength, failure }, { password }) => [
        {
          step: 'choosing',
          strength,
          failure: failure?.reason === 'weak-password' ? undefined : failure,
        },
        { type: 'measure', password },
      ],
      measured: (state, { strength }) => [{ ...state, strength }],
      passwordSubmitted: ({ strength }, { password }) => [
        { step: 'saving', password, strength },
        { type: 'save', password },
      ],
      refused: (state, { failure }) => [{ ...state, failure }],
      closed: () => leave('closed'),
    },
    saving: {
      saved: () => leave('set'),
      refused: ({ strength }, { failure }) => [{ step: 'choosing', strength, failure }],
    },
    left: {},
  },
})
