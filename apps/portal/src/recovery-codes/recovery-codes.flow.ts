import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Creating recovery codes, which are shown only once. */
export type State =
  | { step: 'asking'; failure?: Failure | undefined }
  | { step: 'making' }
  | { step: 'shown'; codes: readonly string[]; copied?: boolean | undefined }
  | { step: 'left' }

export type Result = 'changed' | 'closed'

export type Event =
  | { type: 'agreed' }
  | { type: 'made'; codes: readonly string[] }
  | { type: 'copyRequested' }
  | { type: 'copied'; copied: boolean }
  | { type: 'downloadRequested' }
  | { type: 'refused'; failure: Failure }
  | { type: 'closed' }

export type Command =
  | { type: 'make' }
  | { type: 'copy'; codes: readonly string[] }
  | { type: 'download'; codes: readonly string[] }
  | { type: 'returnResult'; result: Result }

const leave = (result: Result): Next<State, Command> => [
  { step: 'left' },
  { type: 'returnResult', result },
]

export const recoveryCodes = flow<State, Event, Command, null>({
  name: 'recovery-codes',
  begin: () => [{ step: 'asking' }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    asking: {
      agreed: () => [{ step: 'making' }, { type: 'make' }],
      closed: () => leave('closed'),
    },
    making: {
      made: (_, { codes }) => [{ step: 'shown', codes }],
      refused: (_, { failure }) => [{ step: 'asking', failure }],
    },
    shown: {
      copyRequested: (state) => [state, { type: 'copy', codes: state.codes }],
      copied: (state, { copied }) => [{ ...state, copied }],
      downloadRequested: (state) => [state, { type: 'download', codes: state.codes }],
      closed: () => leave('changed'),
    },
    left: {},
  },
})
