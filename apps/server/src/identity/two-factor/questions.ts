/**
 * Recovery questions in place of the second step (§4.5). They help whoever lost a factor, and never replace the first:
 * only a login that waits is asked.
 */
import { QUESTION_CATALOGUE } from '@portico/contracts/account-security'
import { Refusal } from '@portico/contracts/errors'
import type { SecurityQuestion } from '@portico/contracts/two-factor'
import { recoveryQuestion } from '@portico/rules/recovery-question'
import type { Visitor } from '../../http/visitor.ts'
import { securityChangedMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { verifyAnswer } from '../../secrets/answers.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { AllStores } from '../../stores.ts'
import type { SecondStep, WaitingLogin } from './second-step.ts'

const DAY_MS = 24 * 60 * 60 * 1000

interface QuestionDeps {
  readonly stores: AllStores
  readonly vault: Vault
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

/**
 * The question that a login is asked: a random one of the first three. All logins of one day are asked the same one, so
 * that a client cannot start again until it gets the question it can answer.
 */
async function drawnQuestion(
  { stores, vault }: Pick<QuestionDeps, 'stores' | 'vault'>,
  { identity, startedAt }: WaitingLogin,
): Promise<SecurityQuestion | undefined> {
  const day = Math.floor(startedAt / DAY_MS)
  const draw = Buffer.from(vault.mac('recovery question', `${identity.id} ${day}`), 'base64url')
  return recoveryQuestion(await questionsOf(stores, identity.id), draw.readUInt32BE() / 2 ** 32)
}

/** Lists the question of a login, which is the one drawn for it. */
export function retrieveLoginQuestions(deps: QuestionDeps) {
  return async (loginUuid: string): Promise<SecurityQuestion[]> => {
    const drawn = await drawnQuestion(deps, await deps.step.waiting(loginUuid))
    return drawn === undefined ? [] : [drawn]
  }
}

/** Completes the second step by the answer to the question that was drawn; every answer that is sent must be right. */
export function answerQuestions(deps: QuestionDeps) {
  const { stores, outbox, step } = deps
  return async (
    given: {
      loginUuid: string
      answers: readonly { securityQuestionUuid: string; answer: string }[]
    },
    visitor: Visitor,
  ): Promise<{ jwt: string }> => {
    const login = await step.waiting(given.loginUuid)
    const { id, email } = login.identity
    const sender = visitor.senderTo(login.identity.organization_code)
    const stored = await stores.securityAnswers.of(id)
    if (stored.length === 0) throw new Refusal('method-not-available')

    const attemptKey = await step.guess(login, visitor, 'question')
    const drawn = await drawnQuestion(deps, login)
    const answersDrawn = given.answers.some(
      ({ securityQuestionUuid }) => securityQuestionUuid === drawn?.uuid,
    )
    const right = await Promise.all(
      given.answers.map(({ securityQuestionUuid, answer }) => {
        const known = stored.find(({ question_id }) => question_id === securityQuestionUuid)
        return verifyAnswer(known?.answer_hash ?? null, answer)
      }),
    )
    if (!answersDrawn || !right.every(Boolean)) {
      await step.refused(login, visitor, 'question')
      throw new Refusal('answer-wrong')
    }
    return step.complete(login, visitor, {
      second: 'question',
      attemptKey,
      proved: async (together, at) => {
        const change = 'a recovery question was answered to log in without a second factor.'
        await outbox.add(together, securityChangedMail(sender, { email, at, change }))
      },
    })
  }
}
