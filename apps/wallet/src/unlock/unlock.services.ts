import type { Client } from '@portico/client/client'
import { readSecurity } from '@portico/contracts/account-security'
import type { Services } from '@portico/flow'
import { confirmationMethods } from '@portico/rules/confirmation-methods'
import { failureOf } from '@portico/shell/failure-of'
import type { Passkeys } from '@portico/shell/passkeys'
import type { Command, Event } from './unlock.flow.ts'

/** What unlocking leans on. */
interface UnlockDeps {
  readonly client: Client
  readonly passkeys: Pick<Passkeys, 'supported'>
}

/** Carries out what unlocking has done; each service reports back with an event. */
export function unlockServices({ client, passkeys }: UnlockDeps): Services<Event, Command> {
  return {
    async readOwner(_, signal) {
      try {
        const overview = await client(readSecurity, { signal })
        // Whoever logged in beside the frame is not in its page data.
        const email = overview.aliases.find(({ type }) => type === 'Email')?.value ?? ''
        const methods = confirmationMethods(overview, { passkeys: passkeys.supported() })
        return { type: 'ownerRead', owner: { email, methods } }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
  }
}
