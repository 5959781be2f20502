import { lazyComponent } from '@portico/shell/lazy-component'
import { useEnvironment } from './environment.ts'
import { pendingStep } from './pending-step.ts'
import type { PendingStep } from './second-step.ts'
import type { TwoFactorProps } from './two-factor/two-factor.tsx'

const TwoFactorModal = lazyComponent(async () => {
  const { TwoFactorModal } = await import('./two-factor/two-factor.tsx')
  return TwoFactorModal
})

type Result = Parameters<TwoFactorProps['onResult']>[0]

type SecondFactorEvent =
  | { type: 'secondFactorRedeemed'; jwt: string }
  | { type: 'refused'; failure: Extract<Result, { kind: 'expired' }>['failure'] }
  | { type: 'secondFactorClosed' }

export type SecondFactorProps = Pick<TwoFactorProps, 'options' | 'position' | 'supportPhone'> & {
  /** The login in progress, stored with the position in the modal. Without it, a reload restarts the login. */
  login?: Pick<PendingStep, 'method' | 'email' | 'newUser'>
  send: (event: SecondFactorEvent) => void
}

/** The two-step modal of a page (§4.5), which sends its result to the page's flow. */
export function SecondFactor({ login, options, send, ...props }: SecondFactorProps) {
  const { storage, clock } = useEnvironment()
  const pending = pendingStep(storage, clock)
  return (
    <TwoFactorModal
      {...props}
      options={options}
      storePosition={login && ((position) => pending.write({ ...login, options, position }))}
      onResult={(result) => {
        if (login) pending.remove()
        send(eventOf(result))
      }}
    />
  )
}

/** An expired first factor restarts the login on the page (§4.5). */
function eventOf(result: Result): SecondFactorEvent {
  switch (result.kind) {
    case 'redeemed':
      return { type: 'secondFactorRedeemed', jwt: result.jwt }
    case 'expired':
      return { type: 'refused', failure: result.failure }
    case 'closed':
      return { type: 'secondFactorClosed' }
  }
}
