import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Adding a phone: its number, then the code it was sent. */
export type State =
  | { step: 'numbering'; failure?: Failure | undefined }
  | { step: 'sending'; phone: string }
  | {
      step: 'redeeming'
      phone: string
      alias: string
      busy: boolean
      failure?: Failure | undefined
    }
  | { step: 'left' }

/** What the page hears of it. */
export type Result = 'changed' | 'closed'

/** What the dialog hears. */
export type Event =
  | { type: 'numberGiven'; phone: string }
  | { type: 'codeSent'; alias: string }
  | { type: 'codeGiven'; code: string }
  | { type: 'confirmed' }
  | { type: 'refused'; failure: Failure }
  | { type: 'back' }
  | { type: 'closed' }

/** What the dialog has done. */
export type Command =
  | { type: 'send'; phone: string }
  | { type: 'confirm'; alias: string; code: string }
  | { type: 'handBack'; result: Result }

const leave = (result: Result): Next<State, Command> => [
  { step: 'left' },
  { type: 'handBack', result },
]
const closed = () => leave('closed')

/** The table of the dialog. */
export const phone = flow<State, Event, Command, null>({
  name: 'phone',
  begin: () => [{ step: 'numbering' }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    numbering: {
      numberGiven: (_, { phone }) => [
        { step: 'sending', phone },
        { type: 'send', phone },
      ],
      closed,
    },
    sending: {
      codeSent: ({ phone }, { alias }) => [{ step: 'redeeming', phone, alias, busy: false }],
      refused: (_, { failure }) => [{ step: 'numbering', failure }],
      closed,
    },
    redeeming: {
      codeGiven: (state, { code }) =>
        state.busy
          ? [state]
          : [
              { ...state, busy: true, failure: undefined },
              { type: 'confirm', alias: state.alias, code },
            ],
      confirmed: () => leave('changed'),
      refused: (state, { failure }) => [{ ...state, busy: false, failure }],
      back: () => [{ step: 'numbering' }],
      closed,
    },
    left: {},
  },
})
