import type { Client } from '@portico/client/client'
import { setPassword } from '@portico/contracts/identity'
import { BEARER_PREFIX } from '@portico/contracts/storage-keys'
import type { Services } from '@portico/flow'
import { failureOf } from '../failure-of.ts'
import type { Command, Event, Result, Strength } from './new-password.flow.ts'

export interface NewPasswordDeps {
  readonly client: Client
  /** The token of a session that has not started yet; defaults to the stored token (§4.4). */
  readonly jwt?: string | undefined
  readonly measure: (password: string) => Promise<Strength | undefined>
  readonly onResult: (result: Result) => void
}

export function newPasswordServices(deps: NewPasswordDeps): Services<Event, Command> {
  const { client, jwt, measure, onResult } = deps
  return {
    measure: async ({ password }) => ({ type: 'measured', strength: await measure(password) }),
    async save({ password }) {
      try {
        const headers = jwt === undefined ? {} : { authorization: `${BEARER_PREFIX}${jwt}` }
        await client(setPassword, { body: { newPassword: password }, headers })
        return { type: 'saved' }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    returnResult: ({ result }) => onResult(result),
  }
}
