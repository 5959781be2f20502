import {
  answerQuestion,
  redeemRecoveryCode,
  redeemSecondFactor,
  redeemTotp,
  retrieveQuestions,
  sendSecondFactor,
} from '@portico/contracts/two-factor'
import { COSTLY } from '../../http/rate-limits.ts'
import { type Edge, serve } from '../../http/serve.ts'
import type { LoginMetrics } from '../../operations/login-metrics.ts'
import type { AllStores } from '../../stores.ts'
import { redeemFactorCode, sendFactorCode } from './factor-codes.ts'
import { answerQuestions, retrieveLoginQuestions } from './recovery-questions.ts'
import { redeemTotpCode } from './redeem-totp.ts'
import { type SecondStepDeps, secondStep } from './second-step.ts'
import { useRecoveryCode } from './use-recovery-code.ts'

/** Routes for the second-step calls of §7.2 (§4.5). */
export function twoFactor(
  edge: Edge,
  baseDeps: SecondStepDeps & { readonly stores: AllStores; readonly loginMetrics: LoginMetrics },
): void {
  const { countSecondStep } = baseDeps.loginMetrics
  const deps = { ...baseDeps, step: secondStep(baseDeps) }
  const useCases = {
    send: sendFactorCode(deps),
    redeem: redeemFactorCode(deps),
    totp: redeemTotpCode(deps),
    retrieve: retrieveLoginQuestions(deps),
    answer: answerQuestions(deps),
    recoveryCode: useRecoveryCode(deps),
  }
  serve(edge, sendSecondFactor, ({ body, visitor }) => useCases.send(body, visitor), COSTLY)
  serve(
    edge,
    redeemSecondFactor,
    ({ body, visitor }) => countSecondStep('code', () => useCases.redeem(body, visitor)),
    COSTLY,
  )
  serve(
    edge,
    redeemTotp,
    ({ body, visitor }) => countSecondStep('totp', () => useCases.totp(body, visitor)),
    COSTLY,
  )
  serve(edge, retrieveQuestions, ({ body }) => useCases.retrieve(body.loginUuid), COSTLY)
  serve(
    edge,
    answerQuestion,
    ({ body, visitor }) => countSecondStep('question', () => useCases.answer(body, visitor)),
    COSTLY,
  )
  serve(
    edge,
    redeemRecoveryCode,
    ({ body, visitor }) =>
      countSecondStep('recovery-code', () => useCases.recoveryCode(body, visitor)),
    COSTLY,
  )
}
