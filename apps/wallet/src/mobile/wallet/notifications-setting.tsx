import { useCall } from '@portico/shell/use-call'
import { RowButton } from '@portico/ui/row-button'
import { useMobileEnvironment } from '../environment.ts'
import type { WalletNotifications } from './use-notifications.ts'

const DETAILS = {
  on: 'On. Tap to turn off',
  off: 'Off. Tap to get notified of requests',
  denied: 'Not allowed in the settings of your browser',
  unsupported: 'Not supported by this browser; on an iPhone, add the wallet to the home screen',
} as const

/** The row of the settings that turns notifications on and off. */
export function NotificationsSetting({ notifications }: { notifications: WalletNotifications }) {
  const { reportError } = useMobileEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const { state, turnOn, turnOff } = notifications
  if (state === undefined) return null
  const isChangeable = state === 'on' || state === 'off'
  return (
    <RowButton
      title="Notifications"
      details={
        failure ? 'That did not work. Check that you are online and try again.' : DETAILS[state]
      }
      disabled={!isChangeable || pending}
      onClick={() => run(state === 'on' ? turnOff : turnOn, () => undefined)}
    />
  )
}
