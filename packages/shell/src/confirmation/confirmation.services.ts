import type { Client } from '@portico/client/client'
import {
  confirmIdentity,
  readPasskeyConfirmation,
  sendConfirmation,
} from '@portico/contracts/account-security'
import type { Services } from '@portico/flow'
import { withRefusals } from '../failure-of.ts'
import type { Passkeys } from '../passkeys.ts'
import type { Command, Event } from './confirmation.flow.ts'

export interface ConfirmationDeps {
  readonly client: Client
  readonly passkeys: Pick<Passkeys, 'request'>
  /** The ID of the hosted wallet approval to confirm. */
  readonly approval?: string | undefined
  readonly onConfirmed: () => void
}

export function confirmationServices({
  client,
  passkeys,
  approval,
  onConfirmed,
}: ConfirmationDeps): Services<Event, Command> {
  return withRefusals<Event, Command>({
    async sendCode(_, signal) {
      const { loginUuid } = await client(sendConfirmation, { signal })
      return { type: 'codeSent', loginUuid }
    },
    async confirm({ proof }, signal) {
      await client(confirmIdentity, { body: proof, query: { approval }, signal })
      return { type: 'confirmed' }
    },
    async confirmByPasskey(_, signal) {
      const { options } = await client(readPasskeyConfirmation, { signal })
      const passkey = await passkeys.request(options, signal)
      if (passkey === undefined) return { type: 'passkeyCanceled' }
      await client(confirmIdentity, { body: { passkey }, query: { approval }, signal })
      return { type: 'confirmed' }
    },
    returnResult: () => onConfirmed(),
  })
}
