import { useFlow } from '@portico/flow/react'
import { sessionStart as decide } from '@portico/rules/session-start'
import type { Failure } from '@portico/shell/failure'
import { useEnvironment } from '../environment.ts'
import { NewPasswordModal } from '../parts.ts'
import { sessionStart } from './session-start.flow.ts'
import { sessionStartServices } from './session-start.services.ts'

/** What the start of a session takes; it hands back only a failure, since otherwise the page changes. */
export type SessionStartProps = {
  jwt: string
  email: string
  query: URLSearchParams
  /** Whether the user was just offered to set a first password. */
  passwordOffered?: boolean
  supportPhone: string
  onFailed: (failure: Failure) => void
}

/** Starts the session of somebody who has just signed in (§4.4). */
export function SessionStart(props: SessionStartProps) {
  const { jwt, email, query, passwordOffered, supportPhone, onFailed } = props
  const environment = useEnvironment()
  const [state, send] = useFlow(sessionStart, {
    input: { jwt, start: decide(query), passwordOffered },
    services: sessionStartServices({ ...environment, onFailed }),
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
      occasion="reset"
      forced
      onResult={() => send({ type: 'passwordSet' })}
    />
  )
}
