import type { Database } from '../../database/database.ts'

/** Hashed answers to recovery questions. */
export function securityAnswersStore(database: Database) {
  return {
    list: (identityId: string) =>
      database
        .selectFrom('security_answers')
        .select(['question_id', 'answer_hash'])
        .where('identity_id', '=', identityId)
        .orderBy('position')
        .execute(),

    /** Replaces all earlier answers. */
    async replace(
      identityId: string,
      answers: readonly { readonly questionId: string; readonly answerHash: string }[],
      at: number,
    ): Promise<void> {
      await database.deleteFrom('security_answers').where('identity_id', '=', identityId).execute()
      for (const [position, { questionId, answerHash }] of answers.entries()) {
        await database
          .insertInto('security_answers')
          .values({
            identity_id: identityId,
            question_id: questionId,
            position,
            answer_hash: answerHash,
            created_at: at,
          })
          .onConflict((conflict) =>
            conflict
              .columns(['identity_id', 'question_id'])
              .doUpdateSet({ position, answer_hash: answerHash, created_at: at }),
          )
          .execute()
      }
    },
  }
}
