import { ApiError } from '@portico/client/api-error'
import { ERROR_CATALOGUE } from '@portico/contracts/errors'
import { BOT_CHECK_HEADER, type LoginResponse, login, sendToken } from '@portico/contracts/identity'
import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import { passkeyLogin, readPasskeyLogin } from '@portico/contracts/two-factor'
import type { Services } from '@portico/flow'
import { type LoginOutcome, loginOutcome } from '@portico/rules/login-outcome'
import type { Failure } from '@portico/shell/failure'
import { failureOf } from '@portico/shell/failure-of'
import type { Tell } from '@portico/shell/tell'
import type { Environment } from '../environment.ts'
import { pendingCode } from '../pending-code.ts'
import { pendingStep } from '../pending-step.ts'
import { leaveAfterNotice } from '../redirect-notice.ts'
import type { Command, Event } from './login.flow.ts'

/** What logging in leans on. */
export interface LoginNeeds
  extends Pick<
    Environment,
    'botCheck' | 'client' | 'clock' | 'navigate' | 'passkeys' | 'reportError' | 'storage' | 'wait'
  > {
  /** The e-mail parameter of the page; a code for anybody else is not taken up again. */
  readonly email: string
  readonly tell: Tell
}

/** Said to whoever comes back to a second step whose first factor is too old by now (§8). */
const FIRST_FACTOR_EXPIRED: Failure = {
  notices: [ERROR_CATALOGUE['first-factor-expired'].message],
  reason: 'first-factor-expired',
}

/** Said where the check that a person asks could not be made. */
const NO_BOT_CHECK: Failure = {
  notices: [ERROR_CATALOGUE['bot-check-failed'].message],
  reason: 'bot-check-failed',
}

/** Remembers when `otp=true` sent a code to whom in this tab: while that code lives, a reload or Back sends no second one. */
const SENT_AT_ONCE_KEY = 'sent-at-once'

/** Carries out what the login page has done; each service reports back with an event. */
export function loginServices(needs: LoginNeeds): Services<Event, Command> {
  const { botCheck, client, clock, passkeys, reportError, storage, email: askedFor, tell } = needs
  const pending = pendingCode(storage, clock)
  const steps = pendingStep(storage, clock)

  function sentAlready(): boolean {
    const [, at, email] = /^(\d+) (.*)$/.exec(storage.read(SENT_AT_ONCE_KEY) ?? '') ?? []
    return email === askedFor && clock() - Number(at) < PASSCODE_LIFETIME_MS
  }

  /** A script of the check that did not arrive, or that somebody's browser holds back, is no fault of our side. */
  function noBotCheck(error: unknown): Failure {
    if (error instanceof ApiError) throw error
    reportError(error)
    return NO_BOT_CHECK
  }

  return {
    recallCode() {
      const isOurs = ({ email }: { email: string }) => askedFor === '' || askedFor === email
      const step = steps.recall()
      if (step !== undefined && isOurs(step)) {
        const { expired, since: _, ...under } = step
        if (!expired) return { type: 'secondFactorRecalled', under }
        steps.forget()
        return { type: 'refused', failure: FIRST_FACTOR_EXPIRED }
      }
      const code = pending.recall()
      return code !== undefined && isOurs(code) && code.purpose !== 'registration'
        ? {
            type: 'codeRecalled',
            method: code.purpose === 'login' ? 'passcode' : 'forgotten',
            email: code.email,
            loginUuid: code.loginUuid,
          }
        : { type: 'nothingRecalled', sentAlready: sentAlready() }
    },
    async logIn({ email, password }, signal) {
      try {
        const token = await botCheck.token().catch(noBotCheck)
        if (typeof token === 'object') return { type: 'refused', failure: token }
        const headers = token === undefined ? {} : { [BOT_CHECK_HEADER]: token }
        const answer = await client(login, { body: { email, password }, headers, signal })
        return { type: 'loggedIn', outcome: outcomeOf(answer) }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    async offerPasskeys(_, signal) {
      if (!passkeys.supported()) return undefined
      try {
        if (!(await passkeys.offeredInFields())) return undefined
        const { challengeUuid, options } = await client(readPasskeyLogin, { body: {}, signal })
        const response = await passkeys.offer(options, signal)
        return response && { type: 'passkeyGiven', challengeUuid, response }
      } catch {
        // Nobody asked for this offer: where it cannot be made, the form is all there is.
        return undefined
      }
    },
    async logInByPasskey({ challengeUuid, response }, signal) {
      try {
        const answer = await client(passkeyLogin, { body: { challengeUuid, response }, signal })
        return { type: 'loggedIn', outcome: outcomeOf(answer) }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    async sendCode({ email, method }, signal) {
      try {
        const { uuid, redirect } = await client(sendToken, { body: { email }, signal })
        if (email === askedFor) storage.keep(SENT_AT_ONCE_KEY, `${clock()} ${email}`)
        if (redirect !== undefined) return { type: 'loginMoved', to: redirect }
        const purpose = method === 'forgotten' ? 'forgotten' : 'login'
        pending.keep({ purpose, email, loginUuid: uuid })
        return { type: 'codeSent', loginUuid: uuid }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    forgetCode: () => pending.forget(),
    tell: ({ notices }) => tell('danger', notices),
    leave: ({ to }, signal) => leaveAfterNotice(needs, to, signal),
  }
}

function outcomeOf(answer: LoginResponse): LoginOutcome {
  const outcome = loginOutcome(answer)
  if (outcome === undefined) throw new Error('A login has led to nothing')
  return outcome
}
