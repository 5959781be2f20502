import { RESEND_DELAY_MS } from '@portico/contracts/limits'
import {
  answerQuestion,
  readPasskeySecondFactor,
  redeemPasskeySecondFactor,
  redeemRecoveryCode,
  redeemSecondFactor,
  redeemTotp,
  retrieveQuestions,
  sendSecondFactor,
} from '@portico/contracts/two-factor'
import type { Services } from '@portico/flow'
import { failureOf, withRefusals } from '@portico/shell/failure-of'
import type { ShowToast } from '@portico/ui/toast'
import type { Environment } from '../environment.ts'
import type { Position } from '../second-step.ts'
import type { Command, Event, Result } from './two-factor.flow.ts'

export interface TwoFactorDeps
  extends Pick<Environment, 'random' | 'client' | 'passkeys' | 'wait'> {
  readonly showToast: ShowToast
  /** Stores the position for a reload. Without it, a reload restarts the login. */
  readonly storePosition?: ((position: Position) => void) | undefined
  readonly onResult: (result: Result) => void
}

type RedeemCode = Extract<Command, { type: 'redeemCode' }>

export function twoFactorServices(deps: TwoFactorDeps): Services<Event, Command> {
  const { random, client, passkeys, wait, showToast, onResult } = deps

  const redeemed = async (answer: Promise<{ jwt: string }>): Promise<Event> => {
    const { jwt } = await answer
    return { type: 'redeemed', jwt }
  }

  function redeem({ loginUuid, kind, code, remember }: RedeemCode, signal: AbortSignal) {
    const rememberDevice = remember
    switch (kind) {
      case 'email':
      case 'phone':
        return client(redeemSecondFactor, {
          body: { loginUuid, token: code, rememberDevice },
          signal,
        })
      case 'totp':
        return client(redeemTotp, { body: { loginUuid, code, rememberDevice }, signal })
      case 'recoveryCode':
        return client(redeemRecoveryCode, { body: { loginUuid, code }, signal })
    }
  }

  return withRefusals<Event, Command>({
    // Not aborted: the code is sent even if the user leaves this step.
    async sendCode({ loginUuid, alias, again }) {
      try {
        await client(sendSecondFactor, { body: { loginUuid, alias } })
        return { type: 'codeSent', again }
      } catch (error) {
        return { type: 'sendRefused', failure: failureOf(error) }
      }
    },
    async startCooldown(_, signal) {
      await wait(RESEND_DELAY_MS, signal)
      return { type: 'cooldownEnded' }
    },
    redeemCode: (command, signal) => redeemed(redeem(command, signal)),
    async redeemPasskey({ loginUuid, remember }, signal) {
      const { options } = await client(readPasskeySecondFactor, { body: { loginUuid }, signal })
      const response = await passkeys.request(options, signal)
      if (response === undefined) return { type: 'passkeyCanceled' }
      const body = { loginUuid, response, rememberDevice: remember }
      return redeemed(client(redeemPasskeySecondFactor, { body, signal }))
    },
    async readQuestions({ loginUuid }, signal) {
      const questions = await client(retrieveQuestions, { body: { loginUuid }, signal })
      return { type: 'questionsRead', questions, random: random() }
    },
    redeemAnswer({ loginUuid, question, answer }, signal) {
      const answers = [{ securityQuestionUuid: question, answer }]
      return redeemed(client(answerQuestion, { body: { loginUuid, answers }, signal }))
    },
    storePosition: ({ position }) => deps.storePosition?.(position),
    notify: ({ notice }) => showToast({ text: notice, tone: 'ok' }),
    returnResult: ({ result }) => onResult(result),
  })
}
