import { ApiError } from '@portico/client/api-error'
import { readIdentity, register, sendToken } from '@portico/contracts/identity'
import { BEARER_PREFIX } from '@portico/contracts/storage-keys'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Environment } from '../environment.ts'
import { pendingCode } from '../pending-code.ts'
import { FIRST_FACTOR_EXPIRED, FIRST_PLACE, pendingStep } from '../pending-step.ts'
import { leaveAfterNotice } from '../redirect-notice.ts'
import type { Command, Event } from './registration.flow.ts'

/** What a registration leans on. */
export interface RegistrationDeps
  extends Pick<
    Environment,
    'client' | 'clock' | 'jwt' | 'navigate' | 'storage' | 'telemetry' | 'wait'
  > {
  /** The e-mail parameter of the page; a code for anybody else is not taken up again. */
  readonly email: string
}

const bearing = (jwt: string) => ({ authorization: `${BEARER_PREFIX}${jwt}` })

/** Carries out what the registration has done; each service reports back with an event. */
export function registrationServices(deps: RegistrationDeps): Services<Event, Command> {
  const { client, clock, jwt: stored, navigate, storage, telemetry, email: askedFor } = deps
  const pending = pendingCode(storage, clock)
  const steps = pendingStep(storage, clock)
  return {
    recallCode() {
      const step = steps.recall()
      if (step?.method === 'registration' && (askedFor === '' || askedFor === step.email)) {
        const { email, options, place } = step
        if (!step.expired) return { type: 'secondFactorRecalled', email, options, place }
        steps.forget()
        return { type: 'refused', failure: FIRST_FACTOR_EXPIRED }
      }
      const code = pending.recall()
      const isOurs = code !== undefined && (askedFor === '' || askedFor === code.email)
      if (!isOurs || code.purpose !== 'registration') return undefined
      return { type: 'codeRecalled', email: code.email, loginUuid: code.loginUuid }
    },
    async register({ email }, signal) {
      try {
        const { jwt } = await client(register, { body: { email }, signal })
        const headers = bearing(jwt)
        const { uuid, redirect } = await client(sendToken, { body: { email }, headers, signal })
        if (redirect !== undefined) return { type: 'loginMoved', to: redirect }
        pending.keep({ purpose: 'registration', email, loginUuid: uuid })
        return { type: 'codeSent', loginUuid: uuid }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    async readIdentity({ jwt }, signal) {
      try {
        const { passwordExpired } = await client(readIdentity, { headers: bearing(jwt), signal })
        return { type: 'identityRead', passwordExpired }
      } catch (error) {
        // §8: a 401 here is ignored; the session's start reads the identity again and tells what is wrong.
        if (error instanceof ApiError && error.status === 401) {
          return { type: 'identityRead', passwordExpired: false }
        }
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    tellRegistered: () => telemetry.registered(),
    enterWallet({ jwt, to }) {
      stored.keep(jwt)
      navigate(to)
    },
    keepStep: ({ email, options }) =>
      steps.keep({ method: 'registration', email, newUser: false, options, place: FIRST_PLACE }),
    forgetCode: () => pending.forget(),
    leave: ({ to }, signal) => leaveAfterNotice(deps, to, signal),
  }
}
