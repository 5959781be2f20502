import type { Failure } from '@portico/shell/failure'
import type { TwoFactorProps } from './two-factor/two-factor.tsx'

type Result = Parameters<TwoFactorProps['onResult']>[0]

/** What a page that asks for the second step hears of it. */
type SecondFactorEvent =
  | { type: 'secondFactorRedeemed'; jwt: string }
  | { type: 'refused'; failure: Failure }
  | { type: 'secondFactorLeft' }

/** The result of the two-step modal as the event of the page below it; an expired first factor starts again there (§4.5). */
export function secondFactorEvent(result: Result): SecondFactorEvent {
  switch (result.kind) {
    case 'redeemed':
      return { type: 'secondFactorRedeemed', jwt: result.jwt }
    case 'expired':
      return { type: 'refused', failure: result.failure }
    case 'closed':
      return { type: 'secondFactorLeft' }
  }
}
