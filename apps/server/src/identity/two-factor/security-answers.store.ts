import type { Database } from '../../database/database.ts'
import type { FactorOrigin } from '../../database/tables.ts'

/** Hashed answers to recovery questions. */
export function securityAnswersStore(database: Database) {
  return {
    list: (identityId: string) =>
      database
        .selectFrom('securityAnswers')
        .select(['questionId', 'answerHash'])
        .where('identityId', '=', identityId)
        .orderBy('position')
        .execute(),

    /** Replaces all earlier answers. */
    async replace(
      identityId: string,
      answers: readonly { readonly questionId: string; readonly answerHash: string }[],
      at: number,
      origin?: FactorOrigin,
    ): Promise<void> {
      await database.deleteFrom('securityAnswers').where('identityId', '=', identityId).execute()
      for (const [position, { questionId, answerHash }] of answers.entries()) {
        await database
          .insertInto('securityAnswers')
          .values({
            identityId,
            questionId,
            position,
            answerHash,
            createdAt: at,
            ...origin,
          })
          .onConflict((conflict) =>
            conflict
              .columns(['identityId', 'questionId'])
              .doUpdateSet({ position, answerHash, createdAt: at, ...origin }),
          )
          .execute()
      }
    },
  }
}
