import { QUESTION_CATALOG } from '@portico/contracts/account-security'
import { Refusal } from '@portico/contracts/errors'
import { MIN_ANSWER_LENGTH, RECOVERY_QUESTIONS } from '@portico/contracts/limits'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { hashAnswer, normalizeAnswer } from '../../secrets/answers.ts'
import { newRecoveryCodes, recoveryCodeHash } from '../../secrets/recovery-codes.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import { assertConfirmed, type SecurityChange } from './security-change.ts'

interface Answer {
  readonly securityQuestionUuid: string
  readonly answer: string
}

/** Recovery questions and recovery codes. Neither answers nor codes are shown again later. */
export function recoverySetup(deps: { readonly clock: Clock; readonly change: SecurityChange }) {
  const { clock, change } = deps
  return {
    /** Three answers replace earlier ones; an empty list removes them. */
    async setQuestions(
      answers: readonly Answer[],
      session: OpenSession,
      visitor: Visitor,
    ): Promise<void> {
      assertConfirmed(session, clock())
      if (answers.length > 0 && !areSuitable(answers)) throw new Refusal('questions-unsuitable')
      const wait = { client: visitor, line: 'others' } as const
      const hashed = await Promise.all(
        answers.map(async ({ securityQuestionUuid, answer }) => ({
          questionId: securityQuestionUuid,
          answerHash: await hashAnswer(answer, wait),
        })),
      )
      await change(session, visitor, {
        kind: 'questions-set',
        description:
          answers.length > 0 ? 'recovery questions were set.' : 'recovery questions were removed.',
        apply: async ({ securityAnswers }, at, origin) => {
          await securityAnswers.replace(session.identityId, hashed, at, origin)
          return true
        },
      })
    },

    async makeCodes(session: OpenSession, visitor: Visitor): Promise<{ codes: string[] }> {
      const codes = newRecoveryCodes()
      await change(session, visitor, {
        kind: 'recovery-codes-made',
        description: 'new recovery codes were generated. Earlier ones no longer work.',
        apply: async ({ recoveryCodes }, at, origin) => {
          const { identityId } = session
          const hashes = codes.map((code) => recoveryCodeHash(identityId, code))
          await recoveryCodes.replace(identityId, hashes, at, origin)
          return true
        },
      })
      return { codes: [...codes] }
    },
  }
}

function areSuitable(answers: readonly Answer[]): boolean {
  const chosen = new Set(answers.map(({ securityQuestionUuid }) => securityQuestionUuid))
  // The answers must differ: with the same answer to all three, one correct guess would suffice.
  const distinctAnswers = new Set(answers.map(({ answer }) => normalizeAnswer(answer)))
  return (
    answers.length === RECOVERY_QUESTIONS &&
    distinctAnswers.size === RECOVERY_QUESTIONS &&
    chosen.size === RECOVERY_QUESTIONS &&
    QUESTION_CATALOG.filter(({ uuid }) => chosen.has(uuid)).length === RECOVERY_QUESTIONS &&
    answers.every(({ answer }) => normalizeAnswer(answer).length >= MIN_ANSWER_LENGTH)
  )
}
