import type { Client } from '@portico/client/client'
import { useFlow } from '@portico/flow/react'
import type { ConfirmationMethod } from '@portico/rules/confirmation-methods'
import type { Passkeys } from '../passkeys.ts'
import { confirmation } from './confirmation.flow.ts'
import { confirmationServices } from './confirmation.services.ts'
import { ConfirmationView, NO_METHOD, type Purpose } from './confirmation.view.tsx'

export type { Purpose } from './confirmation.view.tsx'

/** The user to re-authenticate, with their available methods, most convenient first. */
export type ConfirmingUser = {
  email: string
  methods: readonly ConfirmationMethod[]
  supportPhone: string
}

/** Re-authenticates a signed-in user. */
export function Confirmation({
  user,
  client,
  passkeys,
  purpose,
  approval,
  onConfirmed,
  reportError,
}: {
  user: ConfirmingUser
  client: Client
  passkeys: Pick<Passkeys, 'request'>
  purpose: Purpose
  /** The ID of the hosted wallet approval to confirm. */
  approval?: string | undefined
  onConfirmed: () => void
  reportError: (error: unknown) => void
}) {
  const [state, send] = useFlow(confirmation, {
    input: { method: user.methods[0] ?? 'passcode' },
    services: confirmationServices({ client, passkeys, approval, onConfirmed }),
    report: reportError,
  })
  if (state.step === 'left') return null
  if (user.methods.length === 0) return <p>{NO_METHOD[purpose]}</p>
  return <ConfirmationView {...user} state={state} send={send} purpose={purpose} />
}
