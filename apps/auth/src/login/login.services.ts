import { type LoginResponse, login, sendToken } from '@portico/contracts/identity'
import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import { passkeyLogin, readPasskeyLogin } from '@portico/contracts/two-factor'
import type { Services } from '@portico/flow'
import { type LoginOutcome, loginOutcome } from '@portico/rules/login-outcome'
import { failureOf } from '@portico/shell/failure-of'
import { botCheckHeaders } from '../bot-check/bot-check.ts'
import type { Environment } from '../environment.ts'
import { pendingCode } from '../pending-code.ts'
import { FIRST_FACTOR_EXPIRED, FIRST_PLACE, pendingStep } from '../pending-step.ts'
import { leaveAfterNotice } from '../redirect-notice.ts'
import type { Command, Event } from './login.flow.ts'

/** What logging in leans on. */
export interface LoginDeps
  extends Pick<
    Environment,
    'botCheck' | 'client' | 'clock' | 'navigate' | 'passkeys' | 'reportError' | 'storage' | 'wait'
  > {
  /** The e-mail parameter of the page; a code for anybody else is not taken up again. */
  readonly email: string
}

/** Remembers when `otp=true` sent a code to whom in this tab: while that code lives, a reload or Back sends no second one. */
const SENT_AT_ONCE_KEY = 'sent-at-once'

/** Carries out what the login page has done; each service reports back with an event. */
export function loginServices(deps: LoginDeps): Services<Event, Command> {
  const { client, clock, passkeys, storage, email: askedFor } = deps
  const pending = pendingCode(storage, clock)
  const steps = pendingStep(storage, clock)

  function sentAlready(): boolean {
    const [, at, email] = /^(\d+) (.*)$/.exec(storage.read(SENT_AT_ONCE_KEY) ?? '') ?? []
    return email === askedFor && clock() - Number(at) < PASSCODE_LIFETIME_MS
  }

  return {
    recallCode() {
      const isOurs = ({ email }: { email: string }) => askedFor === '' || askedFor === email
      const step = steps.recall()
      if (step !== undefined && isOurs(step) && step.method !== 'registration') {
        const { expired, since: _, ...under } = step
        if (!expired)
          return { type: 'secondFactorRecalled', under: { ...under, method: step.method } }
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
        const headers = await botCheckHeaders(deps)
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
    keepStep: ({ under }) => steps.keep({ ...under, place: FIRST_PLACE }),
    forgetCode: () => pending.forget(),
    leave: ({ to }, signal) => leaveAfterNotice(deps, to, signal),
  }
}

function outcomeOf(answer: LoginResponse): LoginOutcome {
  const outcome = loginOutcome(answer)
  if (outcome === undefined) throw new Error('A login has led to nothing')
  return outcome
}
