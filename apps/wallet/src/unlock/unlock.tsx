import { useFlow } from '@portico/flow/react'
import { Confirmation } from '@portico/shell/confirmation'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { useEnvironment } from '../environment.ts'
import { FailureNotice } from '../failure-notice.tsx'
import { unlock } from './unlock.flow.ts'
import { unlockServices } from './unlock.services.ts'

/** `onUnlocked` is called once. */
export type UnlockProps = {
  supportPhone: string
  /** The approval to confirm; without one the wallet is unlocked. */
  approval?: string | undefined
  onUnlocked: () => void
  onLogIn: () => void
}

/** Unlocks the wallet or confirms an approval: the user confirms their identity, as for account changes. */
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
