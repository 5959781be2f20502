import type { SecurityOverview } from '@portico/contracts/account-security'
import { flow, type Next } from '@portico/flow'

/** A change that somebody has begun; each has a dialog of its own. */
export type Change =
  | { kind: 'email' }
  | { kind: 'password' }
  | { kind: 'addTotp' }
  | { kind: 'removeTotp' }
  | { kind: 'addPhone' }
  | { kind: 'removePhone'; alias: string; value: string }
  | { kind: 'emailFactor'; enabled: boolean }
  | { kind: 'addPasskey' }
  | { kind: 'renamePasskey'; uuid: string; name: string }
  | { kind: 'removePasskey'; uuid: string; name: string }
  | { kind: 'recoveryCodes' }
  | { kind: 'questions' }
  | { kind: 'endSession'; uuid: string; device: string }
  | { kind: 'endSessions'; which: 'others' | 'all' }
  | { kind: 'exportData' }
  | { kind: 'deleteAccount' }

/** The security page: what is set up, and one change at a time. */
export type State =
  | { step: 'reading'; overview?: SecurityOverview | undefined; opening?: Change | undefined }
  | { step: 'shown'; overview: SecurityOverview }
  | { step: 'changing'; overview: SecurityOverview; change: Change }
  | { step: 'unreachable'; overview?: SecurityOverview | undefined }
  | { step: 'leaving' }

/** What the page hears. */
export type Event =
  | { type: 'overviewRead'; overview: SecurityOverview }
  | { type: 'unreachable' }
  | { type: 'retried' }
  | { type: 'changeChosen'; change: Change }
  | { type: 'changed' }
  | { type: 'changeLeft' }
  | { type: 'signedOut' }

/** What the page has done. */
export type Command =
  | { type: 'readOverview' }
  | { type: 'watchToken' }
  | { type: 'tell'; text: string }
  | { type: 'logIn' }
  | { type: 'leaveAccount' }

const watch: Command = { type: 'watchToken' }

const read = (overview?: SecurityOverview, opening?: Change): Next<State, Command> => [
  { step: 'reading', overview, opening },
  watch,
  { type: 'readOverview' },
]

const begin = (overview: SecurityOverview, change: Change): Next<State, Command> => [
  { step: 'changing', overview, change },
  watch,
]

/** Another tab may log out in any step. */
const signedOut = {
  signedOut: (): Next<State, Command> => [{ step: 'leaving' }, { type: 'logIn' }],
}

const DONE: Readonly<Record<Exclude<Change['kind'], 'deleteAccount'>, string>> = {
  email: 'Your email address is changed. Every other session has ended.',
  password: 'Your password is set. Every other session has ended.',
  addTotp: 'Your authenticator app is set up.',
  removeTotp: 'Your authenticator app is removed.',
  addPhone: 'Your phone is added.',
  removePhone: 'Your phone is removed.',
  emailFactor: 'Your choice is saved.',
  addPasskey: 'Your passkey is added.',
  renamePasskey: 'The name is saved.',
  removePasskey: 'Your passkey is removed.',
  recoveryCodes: 'You have new recovery codes.',
  questions: 'Your recovery questions are saved.',
  endSession: 'That session has ended.',
  endSessions: 'The sessions have ended.',
  exportData: 'Your data is downloaded.',
}

/** The table of the page. It may begin with a change that a mail leads to. */
export const security = flow<State, Event, Command, Change | null>({
  name: 'security',
  begin: (opening) => read(undefined, opening ?? undefined),
  failed: { type: 'unreachable' },
  on: {
    reading: {
      ...signedOut,
      overviewRead: ({ opening }, { overview }) =>
        opening === undefined ? [{ step: 'shown', overview }, watch] : begin(overview, opening),
      unreachable: ({ overview }) => [{ step: 'unreachable', overview }, watch],
      // What was read before can be changed while it is looked up again.
      changeChosen: (state, { change }) =>
        state.overview === undefined ? [state] : begin(state.overview, change),
    },
    shown: {
      ...signedOut,
      changeChosen: ({ overview }, { change }) => begin(overview, change),
    },
    changing: {
      ...signedOut,
      changed: ({ overview, change }) =>
        change.kind === 'deleteAccount'
          ? [{ step: 'leaving' }, { type: 'leaveAccount' }]
          : [...read(overview), { type: 'tell', text: DONE[change.kind] }],
      // What a dialog found out, or another tab did meanwhile, is looked up again.
      changeLeft: ({ overview }) => read(overview),
    },
    unreachable: {
      ...signedOut,
      retried: ({ overview }) => read(overview),
    },
    leaving: {},
  },
})
