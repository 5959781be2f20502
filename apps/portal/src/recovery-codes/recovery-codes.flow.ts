import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Making recovery codes, which are shown this once. */
export type State =
  | { step: 'asking'; failure?: Failure | undefined }
  | { step: 'making' }
  | { step: 'shown'; codes: readonly string[]; copied?: boolean | undefined }
  | { step: 'left' }

/** What the page hears of it. */
export type Result = 'changed' | 'closed'

/** What the dialog hears. */
export type Event =
  | { type: 'agreed' }
  | { type: 'made'; codes: readonly string[] }
  | { type: 'copyAsked' }
  | { type: 'copied'; copied: boolean }
  | { type: 'downloadAsked' }
  | { type: 'refused'; failure: Failure }
  | { type: 'closed' }

/** What the dialog has done. */
export type Command =
  | { type: 'make' }
  | { type: 'copy'; codes: readonly string[] }
  | { type: 'download'; codes: readonly string[] }
  | { type: 'handBack'; result: Result }

const leave = (result: Result): Next<State, Command> => [
  { step: 'left' },
  { type: 'handBack', result },
]

/** The table of the dialog. */
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
      copyAsked: (state) => [state, { type: 'copy', codes: state.codes }],
      copied: (state, { copied }) => [{ ...state, copied }],
      downloadAsked: (state) => [state, { type: 'download', codes: state.codes }],
      closed: () => leave('changed'),
    },
    left: {},
  },
})
