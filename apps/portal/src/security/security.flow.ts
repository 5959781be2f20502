import type { SecurityOverview } from '@portico/contracts/account-security'
import { flow, type Next } from '@portico/flow'

/** A selected change; each has its own dialog. */
export type SelectedChange =
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
  | { kind: 'disconnectProvider'; uuid: string; name: string }
  | { kind: 'recoveryCodes' }
  | { kind: 'questions' }
  | { kind: 'endSession'; uuid: string; device: string }
  | { kind: 'endSessions'; which: 'others' | 'all' }
  | { kind: 'exportData' }
  | { kind: 'deleteAccount' }

/** The security page: an overview of the settings, and one change at a time. */
export type State =
  | {
      step: 'reading'
      overview?: SecurityOverview | undefined
      opening?: SelectedChange | undefined
    }
  | { step: 'shown'; overview: SecurityOverview }
  | { step: 'changing'; overview: SecurityOverview; change: SelectedChange }
  | { step: 'unreachable'; overview?: SecurityOverview | undefined }
  | { step: 'leaving' }

export type Event =
  | { type: 'overviewRead'; overview: SecurityOverview }
  | { type: 'unreachable' }
  | { type: 'retried' }
  | { type: 'changeChosen'; change: SelectedChange }
  | { type: 'changed' }
  | { type: 'changeClosed' }
  | { type: 'signedOut' }

export type Command =
  | { type: 'readOverview' }
  | { type: 'watchToken' }
  | { type: 'notify'; text: string }
  | { type: 'logIn' }
  | { type: 'leaveAccount' }

const watch: Command = { type: 'watchToken' }

const read = (overview?: SecurityOverview, opening?: SelectedChange): Next<State, Command> => [
  { step: 'reading', overview, opening },
  watch,
  { type: 'readOverview' },
]

const begin = (overview: SecurityOverview, change: SelectedChange): Next<State, Command> => [
  { step: 'changing', overview, change },
  watch,
]

/** Another tab may log out during any step. */
const signedOut = {
  signedOut: (): Next<State, Command> => [{ step: 'leaving' }, { type: 'logIn' }],
}

const SUCCESS_MESSAGES: Readonly<Record<Exclude<SelectedChange['kind'], 'deleteAccount'>, string>> =
  {
    email: 'Your email address has been changed. You are logged out on all other devices.',
    password: 'Your password has been set. You are logged out on all other devices.',
    addTotp: 'Your authenticator app is set up.',
    removeTotp: 'Your authenticator app has been removed.',
    addPhone: 'Your phone has been added.',
    removePhone: 'Your phone has been removed.',
    emailFactor: 'We have saved your choice.',
    addPasskey: 'Your passkey has been added.',
    renamePasskey: 'The name has been saved.',
    removePasskey: 'Your passkey has been removed.',
    disconnectProvider: 'The login of your organization has been disconnected.',
    recoveryCodes: 'You have new recovery codes.',
    questions: 'Your recovery questions have been saved.',
    endSession: 'The device is logged out.',
    endSessions: 'The devices are logged out.',
    exportData: 'Your data has been downloaded.',
  }

/** The input is a change to open at once, as linked from emails. */
export const security = flow<State, Event, Command, SelectedChange | null>({
  name: 'security',
  begin: (opening) => read(undefined, opening ?? undefined),
  failed: { type: 'unreachable' },
  on: {
    reading: {
      ...signedOut,
      overviewRead: ({ opening }, { overview }) =>
        opening === undefined ? [{ step: 'shown', overview }, watch] : begin(overview, opening),
      unreachable: ({ overview }) => [{ step: 'unreachable', overview }, watch],
      // A change can be opened from the previous overview while it is being reloaded.
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
          : [...read(overview), { type: 'notify', text: SUCCESS_MESSAGES[change.kind] }],
      // Reload, to include changes made by the dialog or by another tab.
      changeClosed: ({ overview }) => read(overview),
    },
    unreachable: {
      ...signedOut,
      retried: ({ overview }) => read(overview),
    },
    leaving: {},
  },
})
