import type { Client } from '@portico/client/client'
import { beginTotp, confirmTotp } from '@portico/contracts/account-security'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Command, Event, Result } from './authenticator.flow.ts'

export interface AuthenticatorDeps {
  readonly client: Client
  readonly onResult: (result: Result) => void
}

export function authenticatorServices({
  client,
  onResult,
}: AuthenticatorDeps): Services<Event, Command> {
  return {
    async begin(_, signal) {
      try {
        return { type: 'begun', ...(await client(beginTotp, { signal })) }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    async confirm({ code }, signal) {
      try {
        await client(confirmTotp, { body: { code }, signal })
        return { type: 'confirmed' }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    returnResult: ({ result }) => onResult(result),
  }
}
