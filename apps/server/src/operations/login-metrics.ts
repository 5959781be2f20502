import { Refusal } from '@portico/contracts/errors'
import type { LoginResponse } from '@portico/contracts/identity'
import { Counter, type Registry } from 'prom-client'
import type { SignInMethod } from '../sessions/sessions.ts'

const LOGIN_METHODS: readonly SignInMethod[] = ['password', 'passcode', 'passkey', 'provider']
const SECOND_STEP_METHODS = ['code', 'totp', 'question', 'recovery-code', 'passkey'] as const

type CountResult<Method> = <Result extends LoginResponse>(
  method: Method,
  login: () => Promise<Result>,
) => Promise<Result>

export interface LoginMetrics {
  /** Runs the first step of a login and counts its outcome. */
  readonly countLogin: CountResult<SignInMethod>
  /** Runs the second step of a login and counts its outcome. */
  readonly countSecondStep: CountResult<(typeof SECOND_STEP_METHODS)[number]>
  /** Counts a login that an identity provider or our admission rules refused. */
  readonly countProviderRefusal: (reason: string) => void
}

/** Counts logins by method and outcome: the result in the response, or the refusal code. */
export function loginMetrics(registry: Registry): LoginMetrics {
  const settings = {
    labelNames: ['method', 'outcome'] as const,
    registers: [registry],
  }
  const logins = new Counter({
    ...settings,
    name: 'portico_logins_total',
    help: 'First steps of logins, by method and outcome.',
  })
  const secondSteps = new Counter({
    ...settings,
    name: 'portico_second_steps_total',
    help: 'Second steps of logins, by method and outcome.',
  })
  for (const method of LOGIN_METHODS) logins.inc({ method, outcome: 'logged-in' }, 0)
  for (const method of SECOND_STEP_METHODS) secondSteps.inc({ method, outcome: 'logged-in' }, 0)
  const counting =
    (counter: Counter<'method' | 'outcome'>): CountResult<string> =>
    async (method, login) => {
      try {
        const result = await login()
        counter.inc({ method, outcome: outcomeOf(result) })
        return result
      } catch (error) {
        counter.inc({ method, outcome: error instanceof Refusal ? error.code : 'failed' })
        throw error
      }
    }
  return {
    countLogin: counting(logins),
    countSecondStep: counting(secondSteps),
    countProviderRefusal: (reason) => logins.inc({ method: 'provider', outcome: reason }),
  }
}

function outcomeOf({ jwt, isAccountManuallyLocked, twoFactorOptions }: LoginResponse): string {
  if (jwt !== undefined) return 'logged-in'
  if (twoFactorOptions !== undefined) return 'second-step'
  return isAccountManuallyLocked === true ? 'locked' : 'redirected'
}
