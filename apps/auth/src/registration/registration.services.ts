import { ApiError } from '@portico/client/api-error'
import { readIdentity, register, sendToken } from '@portico/contracts/identity'
import { BEARER_PREFIX } from '@portico/contracts/storage-keys'
import type { Services } from '@portico/flow'
import { withRefusals } from '@portico/shell/failure-of'
import type { Environment } from '../environment.ts'
import type { SentCode } from '../one-time-code/one-time-code.tsx'
import { pendingCode } from '../pending-code.ts'
import { FIRST_FACTOR_EXPIRED, INITIAL_POSITION, pendingStep } from '../pending-step.ts'
import { leaveAfterNotice } from '../redirect-notice.ts'
import type { Command, Event } from './registration.flow.ts'

export interface RegistrationDeps
  extends Pick<
    Environment,
    'client' | 'clock' | 'jwt' | 'navigate' | 'storage' | 'telemetry' | 'wait'
  > {
  /** The page's email parameter; a pending code for a different address is not restored. */
  readonly email: string
}

/** Registers the address and sends its code. Also resends it: the registration expires sooner than an open page. */
export async function sendRegistrationCode(
  client: Environment['client'],
  email: string,
  signal: AbortSignal,
): Promise<SentCode> {
  const { jwt } = await client(register, { body: { email }, signal })
  return client(sendToken, { body: { email }, headers: bearer(jwt), signal })
}

const bearer = (jwt: string) => ({ authorization: `${BEARER_PREFIX}${jwt}` })

export function registrationServices(deps: RegistrationDeps): Services<Event, Command> {
  const { client, clock, jwt: stored, navigate, storage, telemetry, email: requestedEmail } = deps
  const pending = pendingCode(storage, clock)
  const pendingSteps = pendingStep(storage, clock)
  return withRefusals<Event, Command>({
    restoreProgress() {
      const step = pendingSteps.read()
      if (
        step?.method === 'registration' &&
        (requestedEmail === '' || requestedEmail === step.email)
      ) {
        const { email, options, position } = step
        if (!step.expired) return { type: 'secondFactorRestored', email, options, position }
        pendingSteps.remove()
        return { type: 'refused', failure: FIRST_FACTOR_EXPIRED }
      }
      const code = pending.read()
      const matches = code !== undefined && (requestedEmail === '' || requestedEmail === code.email)
      if (!matches || code.purpose !== 'registration') return undefined
      return { type: 'codeRestored', email: code.email, loginUuid: code.loginUuid }
    },
    async register({ email }, signal) {
      const { uuid, redirect } = await sendRegistrationCode(client, email, signal)
      if (redirect !== undefined) return { type: 'loginRedirected', to: redirect }
      pending.write({ purpose: 'registration', email, loginUuid: uuid })
      return { type: 'codeSent', loginUuid: uuid }
    },
    async readIdentity({ jwt }, signal) {
      try {
        const { passwordExpired } = await client(readIdentity, { headers: bearer(jwt), signal })
        return { type: 'identityRead', passwordExpired }
      } catch (error) {
        // §8: a 401 here is ignored; the session start reads the identity again and reports the error.
        if (error instanceof ApiError && error.status === 401) {
          return { type: 'identityRead', passwordExpired: false }
        }
        throw error
      }
    },
    trackRegistration: () => telemetry.registered(),
    enterWallet({ jwt, to }) {
      stored.write(jwt)
      navigate(to)
    },
    savePendingStep: ({ email, options }) =>
      pendingSteps.write({
        method: 'registration',
        email,
        newUser: false,
        options,
        position: INITIAL_POSITION,
      }),
    clearPendingCode: () => pending.remove(),
    leave: ({ to }, signal) => leaveAfterNotice(deps, to, signal),
  })
}
