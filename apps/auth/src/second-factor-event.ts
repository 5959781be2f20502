import type { Failure } from '@portico/shell/failure'
import type { TwoFactorProps } from './two-factor/two-factor.tsx'

type Result = Parameters<TwoFactorProps['onResult']>[0]

type SecondFactorEvent =
  | { type: 'secondFactorRedeemed'; jwt: string }
  | { type: 'refused'; failure: Failure }
  | { type: 'secondFactorClosed' }

/** Maps the two-step modal's result to an event of the page. An expired first factor restarts the login there (§4.5). */
export function secondFactorEvent(result: Result): SecondFactorEvent {
  switch (result.kind) {
    case 'redeemed':
      return { type: 'secondFactorRedeemed', jwt: result.jwt }
    case 'expired':
      return { type: 'refused', failure: result.failure }
    case 'closed':
      return { type: 'secondFactorClosed' }
  }
}
