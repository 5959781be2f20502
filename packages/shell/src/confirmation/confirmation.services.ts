import type { Client } from '@portico/client/client'
import {
  confirmIdentity,
  readPasskeyConfirmation,
  sendConfirmation,
} from '@portico/contracts/account-security'
import type { Services } from '@portico/flow'
import { failureOf } from '../failure-of.ts'
import type { Passkeys } from '../passkeys.ts'
import type { Command, Event } from './confirmation.flow.ts'

/** What a confirmation leans on. */
export interface ConfirmationDeps {
  readonly client: Client
  readonly passkeys: Pick<Passkeys, 'ask'>
  /** The approval of a hosted wallet that the proof is for. */
  readonly approval?: string | undefined
  readonly onConfirmed: () => void
}

/** Carries out what the confirmation has done; each service reports back with an event. */
export function confirmationServices({
  client,
  passkeys,
  approval,
  onConfirmed,
}: ConfirmationDeps): Services<Event, Command> {
  return {
    async sendCode(_, signal) {
      try {
        const { loginUuid } = await client(sendConfirmation, { signal })
        return { type: 'codeSent', loginUuid }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    async confirm({ proof }, signal) {
      try {
        await client(confirmIdentity, { body: proof, query: { approval }, signal })
        return { type: 'confirmed' }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    async confirmByPasskey(_, signal) {
      try {
        const { options } = await client(readPasskeyConfirmation, { signal })
        const passkey = await passkeys.ask(options, signal)
        if (passkey === undefined) return { type: 'passkeyLeft' }
        await client(confirmIdentity, { body: { passkey }, query: { approval }, signal })
        return { type: 'confirmed' }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    handBack: () => onConfirmed(),
  }
}
