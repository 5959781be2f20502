import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '../failure.ts'

/** How strong a password is, with a sentence on how to do better. */
export interface Strength {
  readonly score: 0 | 1 | 2 | 3 | 4
  readonly advice: string
}

/** Choosing a password, and keeping it. */
export type State =
  | { step: 'choosing'; strength?: Strength | undefined; failure?: Failure | undefined }
  | { step: 'saving'; password: string; strength?: Strength | undefined }
  | { step: 'left'; result: Result }

/** What the page hears of it. */
export type Result = 'set' | 'closed'

/** What the password form hears. */
export type Event =
  | { type: 'passwordTyped'; password: string }
  | { type: 'measured'; strength: Strength | undefined }
  | { type: 'passwordGiven'; password: string }
  | { type: 'saved' }
  | { type: 'refused'; failure: Failure }
  | { type: 'closed' }

/** What the password form has done. */
export type Command =
  | { type: 'measure'; password: string }
  | { type: 'save'; password: string }
  | { type: 'handBack'; result: Result }

const leave = (result: Result): Next<State, Command> => [
  { step: 'left', result },
  { type: 'handBack', result },
]

/** The table of the password form. */
export const newPassword = flow<State, Event, Command, null>({
  name: 'new-password',
  begin: () => [{ step: 'choosing' }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    choosing: {
      // What the server found weak was another password.
      passwordTyped: ({ strength, failure }, { password }) => [
        {
          step: 'choosing',
          strength,
          failure: failure?.reason === 'weak-password' ? undefined : failure,
        },
        { type: 'measure', password },
      ],
      measured: (state, { strength }) => [{ ...state, strength }],
      passwordGiven: ({ strength }, { password }) => [
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
