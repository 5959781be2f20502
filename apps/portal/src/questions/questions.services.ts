import type { Client } from '@portico/client/client'
import { readQuestionCatalogue, setQuestions } from '@portico/contracts/account-security'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Command, Event, Result } from './questions.flow.ts'

export interface QuestionsDeps {
  readonly client: Client
  readonly onResult: (result: Result) => void
}

export function questionsServices({ client, onResult }: QuestionsDeps): Services<Event, Command> {
  return {
    async readCatalogue(_, signal) {
      try {
        return { type: 'catalogueRead', catalogue: await client(readQuestionCatalogue, { signal }) }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    async save({ answers }) {
      try {
        const body = {
          answers: answers.map(({ question, answer }) => ({
            securityQuestionUuid: question,
            answer,
          })),
        }
        await client(setQuestions, { body })
        return { type: 'saved' }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    returnResult: ({ result }) => onResult(result),
  }
}
