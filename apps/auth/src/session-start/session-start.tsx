import { useFlow } from '@portico/flow/react'
import { sessionStart as decide } from '@portico/rules/session-start'
import { useEnvironment } from '../environment.ts'
import type { Failure } from '../failure.ts'
import { part } from '../part.tsx'
import { sessionStart } from './session-start.flow.ts'
import { sessionStartServices } from './session-start.services.ts'

const NewPasswordModal = part(async () => {
  const { NewPasswordModal } = await import('../new-password/new-password.tsx')
  return NewPasswordModal
})

/** What the start of a session takes; it hands back only a failure, since otherwise the page changes. */
export type SessionStartProps = {
  jwt: string
  email: string
  query: URLSearchParams
  supportPhone: string
  onFailed: (failure: Failure) => void
}

/** Starts the session of somebody who has just signed in (§4.4). */
export function SessionStart({ jwt, email, query, supportPhone, onFailed }: SessionStartProps) {
  const environment = useEnvironment()
  const [state, send] = useFlow(sessionStart, {
    input: { jwt, start: decide(query) },
    services: sessionStartServices({ ...environment, onFailed }),
    report: environment.reportError,
  })
  if (state.step !== 'resetting') return null
  return (
    <NewPasswordModal
      jwt={jwt}
      email={email}
      supportPhone={supportPhone}
      occasion="reset"
      forced
      onResult={() => send({ type: 'passwordSet' })}
    />
  )
}
