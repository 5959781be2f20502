import { flow } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Converting an old wallet (§2.2): asked once more, then done, and back to where the person came from. */
export type State =
  | { step: 'asking'; busy: boolean; failure?: Failure | undefined }
  | { step: 'converted' }

/** What it hears. */
export type Event =
  | { type: 'confirmed' }
  | { type: 'converted' }
  | { type: 'refused'; failure: Failure }

/** What it has done. */
export type Command = { type: 'convert' } | { type: 'leave' }

/** The table of the conversion. */
export const convertWallet = flow<State, Event, Command, null>({
  name: 'convert-wallet',
  begin: () => [{ step: 'asking', busy: false }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    asking: {
      confirmed: (state) =>
        state.busy ? [state] : [{ step: 'asking', busy: true }, { type: 'convert' }],
      converted: () => [{ step: 'converted' }, { type: 'leave' }],
      refused: (_, { failure }) => [{ step: 'asking', busy: false, failure }],
    },
    converted: {},
  },
})
