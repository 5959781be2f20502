import { NOTICES } from '@portico/contracts/errors'
import { AccountNameForm } from '../account-name-form/account-name-form.tsx'
import type { Event, State } from './create-figure.flow.ts'

/** What the form shows besides its state. */
export type CreateFigureViewProps = {
  state: Extract<State, { step: 'naming' }>
  send: (event: Event) => void
  onBack: () => void
  supportPhone: string
}

/** The form of a new hosted account (§2.6). */
export function CreateFigureView({ state, send, onBack, supportPhone }: CreateFigureViewProps) {
  const { busy, failure } = state
  return (
    <AccountNameForm
      hint="Only you see it. You can change it later."
      busy={busy}
      failure={failure}
      refused={failure && NOTICES.accountNotSubmitted}
      onName={(name) => send({ type: 'nameGiven', name })}
      onBack={onBack}
      supportPhone={supportPhone}
    />
  )
}
