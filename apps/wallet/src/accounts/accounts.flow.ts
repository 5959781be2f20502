import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** What is filled in. */
export type Form =
  | { readonly kind: 'create' }
  | { readonly kind: 'restore' }
  | { readonly kind: 'rename'; readonly address: string; readonly name: string }

/** What a form gives; words are there in `restore` only. */
interface Values {
  readonly name: string
  readonly words?: string | undefined
}

/** The accounts of the wallet: looked at, made, restored, renamed, locked away. */
export type State =
  | { step: 'listing'; failure?: Failure | undefined }
  | { step: 'filling'; form: Form; leavable: boolean; failure?: Failure | undefined }
  | { step: 'saving'; form: Form; leavable: boolean }
  | { step: 'locking' }

/** What the screens begin with. */
export interface Input {
  /** Without an account there is nothing to look at. */
  readonly empty: boolean
}

/** What is heard. */
export type Event =
  | { type: 'formOpened'; form: Form }
  | { type: 'given'; values: Values }
  | { type: 'saved' }
  | { type: 'refused'; failure: Failure }
  | { type: 'back' }
  | { type: 'lockAsked' }
  | { type: 'locked' }

/** What is done. */
export type Command =
  | { type: 'save'; form: Form; values: Values }
  | { type: 'lock' }
  | { type: 'handBack'; result: Result }

/** What the wallet hears of it. */
export type Result = 'changed' | 'locked'

const list = (...commands: Command[]): Next<State, Command> => [{ step: 'listing' }, ...commands]

/** The table of the accounts. */
export const accounts = flow<State, Event, Command, Input>({
  name: 'hosted-accounts',
  begin: ({ empty }) => [
    empty ? { step: 'filling', form: { kind: 'create' }, leavable: false } : { step: 'listing' },
  ],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    listing: {
      formOpened: (_, { form }) => [{ step: 'filling', form, leavable: true }],
      lockAsked: () => [{ step: 'locking' }, { type: 'lock' }],
    },
    filling: {
      // Of the two ways to a first account, one leads to the other.
      formOpened: ({ leavable }, { form }) => [{ step: 'filling', form, leavable }],
      given: ({ form, leavable }, { values }) => [
        { step: 'saving', form, leavable },
        { type: 'save', form, values },
      ],
      back: (state) => (state.leavable ? list() : [state]),
    },
    saving: {
      saved: () => list({ type: 'handBack', result: 'changed' }),
      // Nobody used the wallet for too long: what was filled in goes with it.
      locked: () => list({ type: 'handBack', result: 'locked' }),
      refused: ({ form, leavable }, { failure }) => [{ step: 'filling', form, leavable, failure }],
    },
    locking: {
      locked: () => list({ type: 'handBack', result: 'locked' }),
      refused: (_, { failure }) => [{ step: 'listing', failure }],
    },
  },
})
