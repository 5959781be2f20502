import { flow } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Giving a new hosted account its name (§2.6, §4.8). */
export type State =
  | { step: 'naming'; busy: boolean; failure?: Failure | undefined }
  | { step: 'created' }

/** What it hears. */
export type Event =
  | { type: 'nameGiven'; name: string }
  | { type: 'created'; address: string }
  | { type: 'refused'; failure: Failure }

/** What it has done. */
export type Command = { type: 'create'; name: string } | { type: 'handBack'; address: string }

/** The table of the form. */
export const createFigure = flow<State, Event, Command, null>({
  name: 'create-figure',
  begin: () => [{ step: 'naming', busy: false }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    naming: {
      nameGiven: (state, { name }) =>
        state.busy
          ? [state]
          : [
              { step: 'naming', busy: true },
              { type: 'create', name },
            ],
      created: (_, { address }) => [{ step: 'created' }, { type: 'handBack', address }],
      refused: (_, { failure }) => [{ step: 'naming', busy: false, failure }],
    },
    created: {},
  },
})
