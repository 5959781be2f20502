import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Adding a phone: its number, then the code sent to it. */
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

export type Result = 'changed' | 'closed'

export type Event =
  | { type: 'numberSubmitted'; phone: string }
  | { type: 'codeSent'; alias: string }
  | { type: 'codeSubmitted'; code: string }
  | { type: 'confirmed' }
  | { type: 'refused'; failure: Failure }
  | { type: 'back' }
  | { type: 'closed' }

export type Command =
  | { type: 'send'; phone: string }
  | { type: 'confirm'; alias: string; code: string }
  | { type: 'returnResult'; result: Result }

const leave = (result: Result): Next<State, Command> => [
  { step: 'left' },
  { type: 'returnResult', result },
]
const closed = () => leave('closed')

export const phone = flow<State, Event, Command, null>({
  name: 'phone',
  begin: () => [{ step: 'numbering' }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    numbering: {
      numberSubmitted: (_, { phone }) => [
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
      codeSubmitted: (state, { code }) =>
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
