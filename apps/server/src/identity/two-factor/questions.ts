/**
 * Recovery questions in place of the second step (§4.5). They help whoever lost a factor, and never replace the first:
 * only a login that waits is asked.
 */
import { QUESTION_CATALOGUE } from '@portico/contracts/account-security'
import { Refusal } from '@portico/contracts/errors'
import type { SecurityQuestion } from '@portico/contracts/two-factor'
import type { Visitor } from '../../http/visitor.ts'
import { securityChangedMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { verifyAnswer } from '../../secrets/answers.ts'
import type { AllStores } from '../../stores.ts'
import type { SecondStep } from './second-step.ts'

interface QuestionNeeds {
  readonly stores: AllStores
  readonly outbox: Outbox
  readonly step: SecondStep
}

/** Somebody's questions in the order they chose them. */
export async function questionsOf(
  { securityAnswers }: Pick<AllStores, 'securityAnswers'>,
  identityId: string,
): Promise<SecurityQuestion[]> {
  const answers = await securityAnswers.of(identityId)
  return answers.flatMap(({ question_id }) =>
    QUESTION_CATALOGUE.filter(({ uuid }) => uuid === question_id),
  )
}

/** Lists the questions of a login. */
export function retrieveLoginQuestions({ stores, step }: QuestionNeeds) {
  return async (loginUuid: string): Promise<SecurityQuestion[]> => {
    const { identity } = await step.waiting(loginUuid)
    return questionsOf(stores, identity.id)
  }
}

/** Takes the second step by answers, all of which must be right. */
export function answerQuestions({ stores, outbox, step }: QuestionNeeds) {
  return async (
    given: {
      loginUuid: string
      answers: readonly { securityQuestionUuid: string; answer: string }[]
    },
    visitor: Visitor,
  ): Promise<{ jwt: string }> => {
    const login = await step.waiting(given.loginUuid)
    const { id, email } = login.identity
    const stored = await stores.securityAnswers.of(id)
    if (stored.length === 0) throw new Refusal('method-not-available')

    const guessKey = await step.guess(login, visitor)
    const right = await Promise.all(
      given.answers.map(({ securityQuestionUuid, answer }) => {
        const known = stored.find(({ question_id }) => question_id === securityQuestionUuid)
        return verifyAnswer(known?.answer_hash ?? null, answer)
      }),
    )
    if (!right.every(Boolean)) {
      await step.refused(login, visitor, 'question')
      throw new Refusal('answer-wrong')
    }
    return step.complete(login, visitor, {
      second: 'question',
      guessKey,
      proved: async (together, at) => {
        const change = 'a recovery question was answered to log in without a second factor.'
        await outbox.add(together, securityChangedMail(visitor, { email, at, change }))
      },
    })
  }
}
