import { redeemToken, sendToken } from '@portico/contracts/identity'
import { RESEND_DELAY_MS } from '@portico/contracts/limits'
import type { Services } from '@portico/flow'
import type { LoginOutcome } from '@portico/rules/login-outcome'
import type { Failure } from '@portico/shell/failure'
import { failureOf } from '@portico/shell/failure-of'
import type { ShowToast } from '@portico/ui/toast'
import type { Environment } from '../environment.ts'
import { requireOutcome } from '../require-outcome.ts'
import type { Command, Event, Result } from './one-time-code.flow.ts'

/** A code that was sent, or the address to which the login has moved. */
export interface SentCode {
  readonly uuid: string
  readonly redirect?: string | undefined
}

export interface OneTimeCodeDeps extends Pick<Environment, 'client' | 'navigate' | 'wait'> {
  readonly email: string
  /** Sends another code; by default it is sent to `email`. */
  readonly sendAnother?: ((signal: AbortSignal) => Promise<SentCode>) | undefined
  /** Redeems a code; by default it logs in. */
  readonly redeem?: ((code: string, signal: AbortSignal) => Promise<LoginOutcome>) | undefined
  /** Maps the error of a rejected code; by default every notice is shown. */
  readonly redeemFailureOf?: ((error: unknown) => Failure) | undefined
  readonly showToast: ShowToast
  readonly onResent: (loginUuid: string) => void
  readonly onResult: (result: Result) => void
}

export function oneTimeCodeServices(deps: OneTimeCodeDeps): Services<Event, Command> {
  const { client, navigate, wait, email, showToast, onResent, onResult } = deps
  const { redeemFailureOf = failureOf } = deps
  const byEmail = (signal: AbortSignal): Promise<SentCode> =>
    client(sendToken, { body: { email }, signal })
  const { sendAnother = byEmail, redeem } = deps
  return {
    async redeem({ loginUuid, code }, signal) {
      try {
        const byCode = async () =>
          requireOutcome(await client(redeemToken, { body: { loginUuid, token: code }, signal }))
        return { type: 'redeemed', outcome: await (redeem?.(code, signal) ?? byCode()) }
      } catch (error) {
        return { type: 'refused', failure: redeemFailureOf(error) }
      }
    },
    async resend(_, signal) {
      try {
        const { uuid: loginUuid, redirect } = await sendAnother(signal)
        if (redirect !== undefined) return { type: 'loginRedirected', to: redirect }
        onResent(loginUuid)
        return { type: 'resent', loginUuid }
      } catch (error) {
        return { type: 'resendRefused', failure: failureOf(error) }
      }
    },
    async startCooldown(_, signal) {
      await wait(RESEND_DELAY_MS, signal)
      return { type: 'cooldownEnded' }
    },
    leave: ({ to }) => navigate(to),
    notify: ({ notice }) => showToast({ text: notice, tone: 'ok' }),
    returnResult: ({ result }) => onResult(result),
  }
}
