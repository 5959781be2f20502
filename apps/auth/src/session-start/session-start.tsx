import { useFlow } from '@portico/flow/react'
import { sessionStart as decide } from '@portico/rules/session-start'
import type { Failure } from '@portico/shell/failure'
import { useEnvironment } from '../environment.ts'
import { NewPasswordModal } from '../lazy-components.ts'
import { sessionStart } from './session-start.flow.ts'
import { type SessionStartDeps, sessionStartServices } from './session-start.services.ts'

/** Reports only failures: on success the page navigates away. */
export type SessionStartProps = {
  jwt: string
  email: string
  query: URLSearchParams
  /** Whether the user was just offered a first password. */
  passwordOffered?: boolean
  supportPhone: string
  /** Replaces the identity lookup for a login at an identity provider. */
  lookUp?: SessionStartDeps['lookUp']
  onFailed: (failure: Failure) => void
}

/** Starts the session of a user who has just logged in (§4.4). */
export function SessionStart(props: SessionStartProps) {
  const { jwt, email, query, passwordOffered, supportPhone, lookUp, onFailed } = props
  const environment = useEnvironment()
  const [state, send] = useFlow(sessionStart, {
    input: { jwt, start: decide(query), passwordOffered },
    services: sessionStartServices({ ...environment, lookUp, onFailed }),
    report: environment.reportError,
  })
  if (state.step !== 'resetting') return null
  return (
    <NewPasswordModal
      client={environment.client}
      reportError={environment.reportError}
      jwt={jwt}
      email={email}
      supportPhone={supportPhone}
      occasion={state.hasPassword ? 'reset' : 'first'}
      forced
      onResult={() => send({ type: 'passwordSet' })}
    />
  )
}
