import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import type { ConnectFailure } from '@portico/wallet-kit/device-wallet'
import { Screen } from '@portico/wallet-kit/screen'

const TEXTS: Readonly<Record<ConnectFailure, string>> = {
  'account-unavailable':
    'The page requires an account that is not in this wallet. Add or restore the account, then connect again.',
  'code-unreadable':
    'The page sent a connection code that this wallet cannot read. Reload the page, then connect again.',
  failed: 'The connection failed. Reload the page, then connect again.',
  rejected: 'You declined the connection.',
  'relay-unreachable':
    'The connection service of the page could not be reached. Check your network connection, then connect again.',
  unanswered: 'The page did not respond. Reload it, then connect again.',
  'wallet-full':
    'This wallet has no room for another connection. Answer the requests that wait, or disconnect pages that you no longer use, then connect again.',
}

/** Why the page that started the wallet could not be connected. */
export function ConnectFailed({
  failure,
  onClose,
}: {
  failure: ConnectFailure
  onClose: () => void
}) {
  return (
    <Screen title="Not connected" actions={<Button onClick={onClose}>Close</Button>}>
      <Alert tone="danger">{TEXTS[failure]}</Alert>
    </Screen>
  )
}
