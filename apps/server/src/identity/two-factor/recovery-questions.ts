/**
 * Recovery questions replace the second factor when it was lost (§4.5), never the first: only a login waiting for its second
 * step can use them.
 */
import { QUESTION_CATALOG } from '@portico/contracts/account-security'
import { Refusal } from '@portico/contracts/errors'
import { DAY_MS } from '@portico/contracts/limits'
import type { SecurityQuestion } from '@portico/contracts/two-factor'
import { recoveryQuestion } from '@portico/rules/recovery-question'
import type { Visitor } from '../../http/visitor.ts'
import { refundIfBusy } from '../../lockout/lockout.ts'
import { securityChangedMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { verifyAnswer } from '../../secrets/answers.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Stores } from '../../stores.ts'
import type { SecondStep, WaitingLogin } from './second-step.ts'

interface QuestionDeps {
  readonly stores: Pick<Stores, 'attempts' | 'securityAnswers'>
  readonly vault: Vault
  readonly outbox: Outbox
  readonly step: SecondStep
}

/** The questions of an identity, in the order they were chosen. */
export async function questionsOf(
  { securityAnswers }: Pick<Stores, 'securityAnswers'>,
  identityId: string,
): Promise<SecurityQuestion[]> {
  const answers = await securityAnswers.list(identityId)
  return answers.flatMap(({ questionId }) =>
    QUESTION_CATALOG.filter(({ uuid }) => uuid === questionId),
  )
}

/**
 * The question for a login: a random one of the first three. All logins of a day get the same one, so an attacker
 * cannot start over until an easier question comes up.
 */
async function selectQuestion(
  { stores, vault }: Pick<QuestionDeps, 'stores' | 'vault'>,
  { identity, startedAt }: WaitingLogin,
): Promise<SecurityQuestion | undefined> {
  const day = Math.floor(startedAt / DAY_MS)
  const randomBytes = Buffer.from(
    vault.mac('recovery question', `${identity.id} ${day}`),
    'base64url',
  )
  return recoveryQuestion(
    await questionsOf(stores, identity.id),
    randomBytes.readUInt32BE() / 2 ** 32,
  )
}

/** Returns the question selected for a login, as a list. */
export function retrieveLoginQuestions(deps: QuestionDeps) {
  return async (loginUuid: string): Promise<SecurityQuestion[]> => {
    const selected = await selectQuestion(deps, await deps.step.getWaiting(loginUuid))
    return selected === undefined ? [] : [selected]
  }
}

/** Completes the second step with the answer to the selected question. Every submitted answer must be correct. */
export function answerQuestions(deps: QuestionDeps) {
  const { stores, outbox, step } = deps
  return async (
    request: {
      loginUuid: string
      answers: readonly { securityQuestionUuid: string; answer: string }[]
    },
    visitor: Visitor,
  ): Promise<{ jwt: string }> => {
    const login = await step.getWaiting(request.loginUuid)
    const { id, email } = login.identity
    const sender = visitor.senderTo(login.identity.organizationCode)
    const stored = await stores.securityAnswers.list(id)
    if (stored.length === 0) throw new Refusal('method-not-available')

    const attemptKey = await step.countAttempt(login, visitor, 'question')
    const selected = await selectQuestion(deps, login)
    const answersSelected = request.answers.some(
      ({ securityQuestionUuid }) => securityQuestionUuid === selected?.uuid,
    )
    // The user has passed the first factor.
    const wait = { client: visitor, line: 'others' } as const
    const verified = Promise.all(
      request.answers.map(({ securityQuestionUuid, answer }) => {
        const known = stored.find(({ questionId }) => questionId === securityQuestionUuid)
        return verifyAnswer(known?.answerHash ?? null, answer, wait)
      }),
    )
    const results = await refundIfBusy(stores, attemptKey, verified)
    if (!answersSelected || !results.every(Boolean)) {
      await step.recordFailure(login, visitor, 'question')
      throw new Refusal('answer-wrong')
    }
    return step.complete(login, visitor, {
      second: 'question',
      attemptKey,
      consumeProof: async (transaction, at) => {
        const change = 'a recovery question was answered to log in without a second factor.'
        await outbox.add(transaction, securityChangedMail(sender, { email, at, change }))
      },
    })
  }
}
