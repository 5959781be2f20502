import type { Event, State } from './two-factor.flow.ts'

export type TwoFactorViewProps<S = Exclude<State, { step: 'left' }>> = {
  state: S
  send: (event: Event) => void
  clock: () => number
  supportPhone: string
}
