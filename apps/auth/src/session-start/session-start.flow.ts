import { flow, type Next } from '@portico/flow'
import type { SessionStart } from '@portico/rules/session-start'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'

interface SessionStartContext {
  readonly jwt: string
  /** Where the session continues, decided from the page's query. */
  readonly start: SessionStart
  /** Whether the user was just offered a first password; a user who declined is not asked again. */
  readonly passwordOffered?: boolean | undefined
}

/** What follows a login (§4.4): a forced password reset if flagged, then the wallet or the redirect target. */
export type State =
  | ({ step: 'reading' } & SessionStartContext)
  | ({
      step: 'resetting'
      /** Someone who never had a password is not asked to reset it. */
      hasPassword: boolean
    } & SessionStartContext)
  | ({ step: 'saving' } & { to: string })
  | { step: 'leaving' }
  | { step: 'stopped'; failure: Failure }

export type Event =
  | { type: 'identityRead'; passwordExpired: boolean; hasPassword: boolean }
  | { type: 'passwordSet' }
  | { type: 'querySaved' }
  | { type: 'refused'; failure: Failure }

export type Command =
  | { type: 'readIdentity'; jwt: string }
  | { type: 'storeJwt'; jwt: string }
  | { type: 'saveQuery'; queryParams: Readonly<Record<string, string>> }
  | { type: 'openWallet'; to: string }
  | { type: 'leave'; to: string }
  | { type: 'returnResult'; failure: Failure }

export type Input = SessionStartContext

function proceed({ jwt, start }: SessionStartContext): Next<State, Command> {
  const storeJwt: Command = { type: 'storeJwt', jwt }
  switch (start.kind) {
    case 'openWallet':
      return [{ step: 'leaving' }, storeJwt, { type: 'openWallet', to: start.to }]
    case 'continue':
      return [
        { step: 'saving', to: start.to },
        storeJwt,
        { type: 'saveQuery', queryParams: start.queryParams },
      ]
  }
}

const stop = (failure: Failure): Next<State, Command> => [
  { step: 'stopped', failure },
  { type: 'returnResult', failure },
]

export const sessionStart = flow<State, Event, Command, Input>({
  name: 'session-start',
  begin: (context) => [
    { step: 'reading', ...context },
    { type: 'readIdentity', jwt: context.jwt },
  ],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    reading: {
      identityRead: ({ jwt, start, passwordOffered }, { passwordExpired, hasPassword }) => {
        const declined = passwordOffered === true && !hasPassword
        return passwordExpired && !declined
          ? [{ step: 'resetting', hasPassword, jwt, start }]
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
