import { flow } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Converting an old wallet (§2.2): confirmation, conversion, then back to the page the user came from. */
export type State =
  | { step: 'asking'; busy: boolean; failure?: Failure | undefined }
  /** Shows the new wallet's address before the user continues. */
  | { step: 'converted'; address: string }
  | { step: 'left'; address: string }

export type Event =
  | { type: 'confirmed' }
  | { type: 'converted'; address: string }
  | { type: 'continued' }
  | { type: 'refused'; failure: Failure }

export type Command = { type: 'convert' } | { type: 'leave' }

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
