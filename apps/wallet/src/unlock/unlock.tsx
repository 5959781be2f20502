import { readSecurity } from '@portico/contracts/account-security'
import { confirmationMethods } from '@portico/rules/confirmation-methods'
import { Confirmation } from '@portico/shell/confirmation'
import { useLoad } from '@portico/shell/use-call'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { FailureNotice } from '@portico/wallet-kit/failure-notice'
import { useEnvironment } from '../environment.ts'

/** `onUnlocked` is called once. */
export type UnlockProps = {
  supportPhone: string
  /** The approval to confirm; without one the wallet is unlocked. */
  approval?: string | undefined
  /** What a confirmation without an approval is for. */
  purpose?: 'unlock' | 'change'
  onUnlocked: () => void
  onLogIn: () => void
}

/**
 * Unlocks the wallet, or confirms an approval or a change: loads the owner's confirmation methods, then the user confirms their
 * identity, as for account changes.
 */
export function Unlock({
  supportPhone,
  approval,
  purpose = 'unlock',
  onUnlocked,
  onLogIn,
}: UnlockProps) {
  const { client, passkeys, reportError } = useEnvironment()
  const {
    result: overview,
    failure,
    retry,
  } = useLoad((signal) => client(readSecurity, { signal }), reportError)
  if (failure !== undefined) {
    return (
      <Stack>
        <FailureNotice failure={failure} onLogIn={onLogIn} />
        <p>
          <LinkButton onClick={retry}>Try again</LinkButton>
        </p>
      </Stack>
    )
  }
  if (overview === undefined) {
    return <Skeleton shape="text" count={2} label="Loading your confirmation options" />
  }
  return (
    <Confirmation
      user={{
        // The page data does not include a user who logged in from a separate window.
        email: overview.aliases.find(({ type }) => type === 'Email')?.value ?? '',
        methods: confirmationMethods(
          overview,
          { passkeys: passkeys.supported() },
          approval === undefined ? 'change' : 'payment',
        ),
        supportPhone,
      }}
      client={client}
      passkeys={passkeys}
      purpose={approval === undefined ? purpose : 'approve'}
      approval={approval}
      onConfirmed={onUnlocked}
      reportError={reportError}
    />
  )
}
