import type { Event, State } from './two-factor.flow.ts'

/** What the modal shows besides its state. */
export type TwoFactorViewProps<S = Exclude<State, { step: 'left' }>> = {
  state: S
  send: (event: Event) => void
  clock: () => number
  supportPhone: string
}
