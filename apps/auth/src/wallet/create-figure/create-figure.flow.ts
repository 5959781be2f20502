import { flow } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Naming a new hosted account (§2.6, §4.8). */
export type State =
  | { step: 'naming'; busy: boolean; failure?: Failure | undefined }
  | { step: 'created' }

export type Event =
  | { type: 'nameSubmitted'; name: string }
  | { type: 'created'; address: string }
  | { type: 'refused'; failure: Failure }

export type Command = { type: 'create'; name: string } | { type: 'returnResult'; address: string }

export const createFigure = flow<State, Event, Command, null>({
  name: 'create-figure',
  begin: () => [{ step: 'naming', busy: false }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    naming: {
      nameSubmitted: (state, { name }) =>
        state.busy
          ? [state]
          : [
              { step: 'naming', busy: true },
              { type: 'create', name },
            ],
      created: (_, { address }) => [{ step: 'created' }, { type: 'returnResult', address }],
      refused: (_, { failure }) => [{ step: 'naming', busy: false, failure }],
    },
    created: {},
  },
})
