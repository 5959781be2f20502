import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** Form values by field name. */
export type Values = Readonly<Record<string, string>>

/** An account change that takes one call. */
export type State =
  | { step: 'asking'; failure?: Failure | undefined }
  | { step: 'changing' }
  | { step: 'left'; result: Result }

export type Result = 'changed' | 'closed'

export type Event =
  | { type: 'submitted'; values: Values }
  | { type: 'changed' }
  | { type: 'refused'; failure: Failure }
  | { type: 'closed' }

export type Command = { type: 'change'; values: Values } | { type: 'returnResult'; result: Result }

const leave = (result: Result): Next<State, Command> => [
  { step: 'left', result },
  { type: 'returnResult', result },
]

export const change = flow<State, Event, Command, null>({
  name: 'change',
  begin: () => [{ step: 'asking' }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    asking: {
      submitted: (_, { values }) => [{ step: 'changing' }, { type: 'change', values }],
      closed: () => leave('closed'),
    },
    changing: {
      changed: () => leave('changed'),
      refused: (_, { failure }) => [{ step: 'asking', failure }],
    },
    left: {},
  },
})
