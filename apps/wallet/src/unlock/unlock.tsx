import { useFlow } from '@portico/flow/react'
import { Confirmation } from '@portico/shell/confirmation'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { useEnvironment } from '../environment.ts'
import { FailureNotice } from '../failure-notice.tsx'
import { unlock } from './unlock.flow.ts'
import { unlockServices } from './unlock.services.ts'

/** What unlocking takes; it hands back once. */
export type UnlockProps = {
  supportPhone: string
  /** The approval that is confirmed; without one the wallet is opened. */
  approval?: string | undefined
  onUnlocked: () => void
  onLogIn: () => void
}

/** Opens a locked wallet, or confirms an approval: the person proves who they are, as for a change of their account. */
export function Unlock({ supportPhone, approval, onUnlocked, onLogIn }: UnlockProps) {
  const { client, passkeys, reportError } = useEnvironment()
  const [state, send] = useFlow(unlock, {
    input: null,
    services: unlockServices({ client, passkeys }),
    report: reportError,
  })
  switch (state.step) {
    case 'reading':
      return <Skeleton shape="text" count={2} label="Reading how you can confirm that it is you" />
    case 'stopped':
      return (
        <Stack>
          <FailureNotice failure={state.failure} onLogIn={onLogIn} />
          <p>
            <LinkButton onClick={() => send({ type: 'retried' })}>Try again</LinkButton>
          </p>
        </Stack>
      )
    case 'confirming':
      return (
        <Confirmation
          person={{ ...state.owner, supportPhone }}
          client={client}
          passkeys={passkeys}
          purpose={approval === undefined ? 'unlock' : 'approve'}
          approval={approval}
          onConfirmed={onUnlocked}
          reportError={reportError}
        />
      )
  }
}
