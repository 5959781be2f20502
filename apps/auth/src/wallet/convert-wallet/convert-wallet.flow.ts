import { flow } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Converting an old wallet (§2.2): asked once more, then done, and back to where the person came from. */
export type State =
  | { step: 'asking'; busy: boolean; failure?: Failure | undefined }
  /** Said before the person goes on, with the address of the new wallet. */
  | { step: 'converted'; address: string }
  | { step: 'left'; address: string }

/** What it handles. */
export type Event =
  | { type: 'confirmed' }
  | { type: 'converted'; address: string }
  | { type: 'continued' }
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
      converted: (_, { address }) => [{ step: 'converted', address }],
      refused: (_, { failure }) => [{ step: 'asking', busy: false, failure }],
    },
    converted: {
      continued: ({ address }) => [{ step: 'left', address }, { type: 'leave' }],
    },
    left: {},
  },
})
