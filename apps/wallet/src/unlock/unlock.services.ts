import type { Client } from '@portico/client/client'
import { readSecurity } from '@portico/contracts/account-security'
import type { Services } from '@portico/flow'
import { confirmationMethods } from '@portico/rules/confirmation-methods'
import { failureOf } from '@portico/shell/failure-of'
import type { Passkeys } from '@portico/shell/passkeys'
import type { Command, Event } from './unlock.flow.ts'

interface UnlockDeps {
  readonly client: Client
  readonly passkeys: Pick<Passkeys, 'supported'>
}

export function unlockServices({ client, passkeys }: UnlockDeps): Services<Event, Command> {
  return {
    async readOwner(_, signal) {
      try {
        const overview = await client(readSecurity, { signal })
        // The page data does not include a user who logged in from a separate window.
        const email = overview.aliases.find(({ type }) => type === 'Email')?.value ?? ''
        const methods = confirmationMethods(overview, { passkeys: passkeys.supported() })
        return { type: 'ownerRead', owner: { email, methods } }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
  }
}
