import type { Client } from '@portico/client/client'
import { readSecurity } from '@portico/contracts/account-security'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Command, Event } from './unlock.flow.ts'

/** Carries out what unlocking has done; each service reports back with an event. */
export function unlockServices({ client }: { readonly client: Client }): Services<Event, Command> {
  return {
    async readWays(_, signal) {
      try {
        const { hasPassword, totpEnabled } = await client(readSecurity, { signal })
        return { type: 'waysRead', ways: { hasPassword, totpEnabled } }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
  }
}
