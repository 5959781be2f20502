import { NOTICES } from '@portico/contracts/errors'
import { AccountNameForm } from '../account-name-form/account-name-form.tsx'
import type { Event, State } from './create-figure.flow.ts'

export type CreateFigureViewProps = {
  state: Extract<State, { step: 'naming' }>
  send: (event: Event) => void
  onBack: () => void
  supportPhone: string
}

export function CreateFigureView({ state, send, onBack, supportPhone }: CreateFigureViewProps) {
  const { busy, failure } = state
  return (
    <AccountNameForm
      hint="Only you can see it. You can change it later."
      busy={busy}
      failure={failure}
      rejection={failure && NOTICES.accountNotSubmitted}
      onName={(name) => send({ type: 'nameSubmitted', name })}
      onBack={onBack}
      supportPhone={supportPhone}
    />
  )
}
