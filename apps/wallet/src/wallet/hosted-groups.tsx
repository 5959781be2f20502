import { Groups } from '@portico/wallet-kit/groups'
import {
  type GroupsEnvironment,
  GroupsEnvironmentContext,
} from '@portico/wallet-kit/groups-environment'
import { useEnvironment } from '../environment.ts'

/** What the groups of the user's accounts decide, and their members. */
export function HostedGroups({
  onBack,
  onLogIn,
  unlock,
}: {
  onBack: () => void
  onLogIn: () => void
  unlock: GroupsEnvironment['unlock']
}) {
  const { keyKeeper, groups, clock, reportError } = useEnvironment()
  const environment: GroupsEnvironment = {
    accounts: keyKeeper.accounts,
    subscribe: unchanging,
    clock,
    reportError,
    unlock,
    onLogIn,
  }
  return (
    <GroupsEnvironmentContext value={environment}>
      <Groups reader={groups} onBack={onBack} />
    </GroupsEnvironmentContext>
  )
}

/** The screens read the accounts again after each request of the user. */
const unchanging = () => () => undefined
