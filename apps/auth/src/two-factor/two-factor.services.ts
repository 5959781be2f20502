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
import { failureOf } from '@portico/shell/failure-of'
import type { ShowToast } from '@portico/ui/toast'
import type { Environment } from '../environment.ts'
import type { Command, Event, Result } from './two-factor.flow.ts'

/** What the second step leans on. */
export interface TwoFactorDeps
  extends Pick<Environment, 'chance' | 'client' | 'passkeys' | 'wait'> {
  readonly showToast: ShowToast
  readonly onResult: (result: Result) => void
}

type RedeemCode = Extract<Command, { type: 'redeemCode' }>

/** Carries out what the second step has done; each service reports back with an event. */
export function twoFactorServices(deps: TwoFactorDeps): Services<Event, Command> {
  const { chance, client, passkeys, wait, showToast, onResult } = deps

  const redeemed = async (answer: Promise<{ jwt: string }>): Promise<Event> => {
    try {
      const { jwt } = await answer
      return { type: 'redeemed', jwt }
    } catch (error) {
      return { type: 'refused', failure: failureOf(error) }
    }
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

  return {
    // Not aborted: a code that is on its way is sent whether or not the person waits for it here.
    async sendCode({ loginUuid, alias, again }) {
      try {
        await client(sendSecondFactor, { body: { loginUuid, alias } })
        return { type: 'codeSent', again }
      } catch (error) {
        return { type: 'sendRefused', failure: failureOf(error) }
      }
    },
    async rest(_, signal) {
      await wait(RESEND_DELAY_MS, signal)
      return { type: 'rested' }
    },
    redeemCode: (command, signal) => redeemed(redeem(command, signal)),
    async redeemPasskey({ loginUuid, remember }, signal) {
      try {
        const { options } = await client(readPasskeySecondFactor, { body: { loginUuid }, signal })
        const response = await passkeys.ask(options, signal)
        if (response === undefined) return { type: 'passkeyLeft' }
        const body = { loginUuid, response, rememberDevice: remember }
        return await redeemed(client(redeemPasskeySecondFactor, { body, signal }))
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    async readQuestions({ loginUuid }, signal) {
      try {
        const questions = await client(retrieveQuestions, { body: { loginUuid }, signal })
        return { type: 'questionsRead', questions, chance: chance() }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    redeemAnswer({ loginUuid, question, answer }, signal) {
      const answers = [{ securityQuestionUuid: question, answer }]
      return redeemed(client(answerQuestion, { body: { loginUuid, answers }, signal }))
    },
    notify: ({ notice }) => showToast({ text: notice, tone: 'ok' }),
    handBack: ({ result }) => onResult(result),
  }
}
