import { flow, type Next } from '@portico/flow'
import type { SessionStart } from '@portico/rules/session-start'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

interface Begun {
  readonly jwt: string
  /** Where the session leads, decided from the page's query. */
  readonly start: SessionStart
  /** Whether the user was just offered to set a first password: one who declined is not asked again. */
  readonly passwordOffered?: boolean | undefined
}

/** What follows a sign-in (§4.4): a forced reset where one is flagged, then the wallet or the redirect target. */
export type State =
  | ({ step: 'reading' } & Begun)
  | ({ step: 'resetting' } & Begun)
  | ({ step: 'saving' } & { to: string })
  | { step: 'leaving' }
  | { step: 'stopped'; failure: Failure }

/** What the start of a session hears. */
export type Event =
  | { type: 'identityRead'; passwordExpired: boolean; hasPassword: boolean }
  | { type: 'passwordSet' }
  | { type: 'querySaved' }
  | { type: 'refused'; failure: Failure }

/** What the start of a session has done. */
export type Command =
  | { type: 'readIdentity'; jwt: string }
  | { type: 'keepJwt'; jwt: string }
  | { type: 'saveQuery'; queryParams: Readonly<Record<string, string>> }
  | { type: 'openWallet'; to: string }
  | { type: 'leave'; to: string }
  | { type: 'handBack'; failure: Failure }

/** What the start of a session begins with. */
export type Input = Begun

function proceed({ jwt, start }: Begun): Next<State, Command> {
  const keep: Command = { type: 'keepJwt', jwt }
  switch (start.kind) {
    case 'openWallet':
      return [{ step: 'leaving' }, keep, { type: 'openWallet', to: start.to }]
    case 'goOn':
      return [
        { step: 'saving', to: start.to },
        keep,
        { type: 'saveQuery', queryParams: start.queryParams },
      ]
  }
}

const stop = (failure: Failure): Next<State, Command> => [
  { step: 'stopped', failure },
  { type: 'handBack', failure },
]

/** The table of the start of a session. */
export const sessionStart = flow<State, Event, Command, Input>({
  name: 'session-start',
  begin: (begun) => [
    { step: 'reading', ...begun },
    { type: 'readIdentity', jwt: begun.jwt },
  ],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    reading: {
      identityRead: ({ jwt, start, passwordOffered }, { passwordExpired, hasPassword }) => {
        const declined = passwordOffered === true && !hasPassword
        return passwordExpired && !declined
          ? [{ step: 'resetting', jwt, start }]
          : proceed({ jwt, start })
      },
      refused: (_, { failure }) => stop(failure),
    },
    resetting: {
      passwordSet: (state) => proceed(state),
      refused: (_, { failure }) => stop(failure),
    },
    saving: {
      querySaved: ({ to }) => [{ step: 'leaving' }, { type: 'leave', to }],
      refused: ({ to }) => [{ step: 'leaving' }, { type: 'leave', to }],
    },
    leaving: {},
    stopped: {},
  },
})
