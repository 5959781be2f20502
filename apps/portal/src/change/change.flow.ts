import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

/** What the form of a change holds, by the names of its fields. */
export type Values = Readonly<Record<string, string>>

/** A change of one call: it is asked for, made, and handed back. */
export type State =
  | { step: 'asking'; failure?: Failure | undefined }
  | { step: 'changing' }
  | { step: 'left'; result: Result }

/** What the page hears of it. */
export type Result = 'changed' | 'closed'

/** What a change hears. */
export type Event =
  | { type: 'given'; values: Values }
  | { type: 'changed' }
  | { type: 'refused'; failure: Failure }
  | { type: 'closed' }

/** What a change has done. */
export type Command = { type: 'change'; values: Values } | { type: 'handBack'; result: Result }

const leave = (result: Result): Next<State, Command> => [
  { step: 'left', result },
  { type: 'handBack', result },
]

/** The table of a change. */
export const change = flow<State, Event, Command, null>({
  name: 'change',
  begin: () => [{ step: 'asking' }],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    asking: {
      given: (_, { values }) => [{ step: 'changing' }, { type: 'change', values }],
      closed: () => leave('closed'),
    },
    changing: {
      changed: () => leave('changed'),
      refused: (_, { failure }) => [{ step: 'asking', failure }],
    },
    left: {},
  },
})
