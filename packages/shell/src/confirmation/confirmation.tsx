import type { Client } from '@portico/client/client'
import { useFlow } from '@portico/flow/react'
import type { ConfirmationMethod } from '@portico/rules/confirmation-methods'
import type { Passkeys } from '../passkeys.ts'
import { confirmation } from './confirmation.flow.ts'
import { confirmationServices } from './confirmation.services.ts'
import { ConfirmationView, type Purpose } from './confirmation.view.tsx'

export type { Purpose } from './confirmation.view.tsx'

/** What is known of whoever confirms: the ways they have here, the handiest first. */
export type ConfirmingPerson = {
  email: string
  methods: readonly ConfirmationMethod[]
  supportPhone: string
}

/** Lets somebody who is signed in confirm that it is still them. */
export function Confirmation({
  person,
  client,
  passkeys,
  purpose,
  approval,
  onConfirmed,
  reportError,
}: {
  person: ConfirmingPerson
  client: Client
  passkeys: Pick<Passkeys, 'ask'>
  purpose: Purpose
  /** The approval of a hosted wallet that is confirmed. */
  approval?: string | undefined
  onConfirmed: () => void
  reportError: (error: unknown) => void
}) {
  const [state, send] = useFlow(confirmation, {
    input: { method: person.methods[0] ?? 'passcode' },
    services: confirmationServices({ client, passkeys, approval, onConfirmed }),
    report: reportError,
  })
  if (state.step === 'left') return null
  return <ConfirmationView {...person} state={state} send={send} purpose={purpose} />
}
