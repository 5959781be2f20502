import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** The open form. */
export type Form =
  | { readonly kind: 'create' }
  | { readonly kind: 'restore' }
  | { readonly kind: 'rename'; readonly address: string; readonly name: string }

/** The values of a form; `words` is only set for `restore`. */
interface Values {
  readonly name: string
  readonly words?: string | undefined
}

interface Opened {
  readonly form: Form
  /** Whether there is a list to go back to. */
  readonly leavable: boolean
}

/** Listing, creating, restoring and renaming accounts, and locking the wallet. */
export type State =
  | { step: 'listing'; failure?: Failure | undefined }
  | ({ step: 'filling'; values?: Values; failure?: Failure | undefined } & Opened)
  | ({ step: 'saving'; values: Values } & Opened)
  /** The change needs a confirmation, and continues after it. */
  | ({ step: 'confirming'; values: Values } & Opened)
  | { step: 'locking' }

export interface Input {
  /** Whether the wallet has no accounts yet; it then starts with the form. */
  readonly empty: boolean
}

export type Event =
  | { type: 'formOpened'; form: Form }
  | { type: 'submitted'; values: Values }
  | { type: 'saved' }
  | { type: 'refused'; failure: Failure }
  | { type: 'confirmationNeeded' }
  | { type: 'confirmed' }
  | { type: 'back' }
  | { type: 'lockRequested' }
  | { type: 'locked' }

export type Command =
  | { type: 'save'; form: Form; values: Values }
  | { type: 'lock' }
  | { type: 'returnResult'; result: Result }

/** The result for the wallet. */
export type Result = 'changed' | 'locked'

const list = (...commands: Command[]): Next<State, Command> => [{ step: 'listing' }, ...commands]

const save = (opened: Opened, values: Values): Next<State, Command> => [
  { step: 'saving', ...opened, values },
  { type: 'save', form: opened.form, values },
]

export const accounts = flow<State, Event, Command, Input>({
  name: 'hosted-accounts',
  begin: ({ empty }) => [
    empty ? { step: 'filling', form: { kind: 'create' }, leavable: false } : { step: 'listing' },
  ],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    listing: {
      formOpened: (_, { form }) => [{ step: 'filling', form, leavable: true }],
      lockRequested: () => [{ step: 'locking' }, { type: 'lock' }],
    },
    filling: {
      // Switches between creating and restoring the first account.
      formOpened: ({ leavable }, { form }) => [{ step: 'filling', form, leavable }],
      submitted: ({ form, leavable }, { values }) => save({ form, leavable }, values),
      back: (state) => (state.leavable ? list() : [state]),
    },
    saving: {
      saved: () => list({ type: 'returnResult', result: 'changed' }),
      // The wallet was locked after inactivity; the form is discarded.
      locked: () => list({ type: 'returnResult', result: 'locked' }),
      refused: ({ form, leavable, values }, { failure }) => [
        { step: 'filling', form, leavable, values, failure },
      ],
      confirmationNeeded: (state) => [{ ...state, step: 'confirming' }],
    },
    confirming: {
      confirmed: ({ form, leavable, values }) => save({ form, leavable }, values),
      back: (state) => [{ ...state, step: 'filling' }],
    },
    locking: {
      locked: () => list({ type: 'returnResult', result: 'locked' }),
      refused: (_, { failure }) => [{ step: 'listing', failure }],
    },
  },
})
