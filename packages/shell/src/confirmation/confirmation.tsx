import type { Client } from '@portico/client/client'
import { useFlow } from '@portico/flow/react'
import { confirmation, type Method } from './confirmation.flow.ts'
import { confirmationServices } from './confirmation.services.ts'
import { ConfirmationView, type Purpose } from './confirmation.view.tsx'

/** What is known of whoever confirms: what they can prove themselves with. */
export type ConfirmingPerson = {
  email: string
  hasPassword: boolean
  totpEnabled: boolean
  supportPhone: string
}

/** Lets somebody who is signed in confirm that it is still them. */
export function Confirmation({
  person,
  client,
  purpose,
  onConfirmed,
  reportError,
}: {
  person: ConfirmingPerson
  client: Client
  purpose: Purpose
  onConfirmed: () => void
  reportError: (error: unknown) => void
}) {
  const methods = methodsOf(person)
  const [state, send] = useFlow(confirmation, {
    input: { method: methods[0] ?? 'passcode' },
    services: confirmationServices({ client, onConfirmed }),
    report: reportError,
  })
  if (state.step === 'left') return null
  return (
    <ConfirmationView {...person} state={state} send={send} methods={methods} purpose={purpose} />
  )
}

function methodsOf({ hasPassword, totpEnabled }: ConfirmingPerson): readonly Method[] {
  const methods: Method[] = hasPassword ? ['password'] : []
  if (totpEnabled) methods.push('totp')
  return [...methods, 'passcode']
}
