import type { Client } from '@portico/client/client'
import { beginPhone, confirmPhone } from '@portico/contracts/account-security'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Command, Event, Result } from './phone.flow.ts'

export interface PhoneDeps {
  readonly client: Client
  readonly onResult: (result: Result) => void
}

export function phoneServices({ client, onResult }: PhoneDeps): Services<Event, Command> {
  return {
    async send({ phone }) {
      try {
        const { alias } = await client(beginPhone, { body: { phone } })
        return { type: 'codeSent', alias }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    async confirm({ alias, code }) {
      try {
        await client(confirmPhone, { body: { alias, token: code } })
        return { type: 'confirmed' }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    returnResult: ({ result }) => onResult(result),
  }
}
