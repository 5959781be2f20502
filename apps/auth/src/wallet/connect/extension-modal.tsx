import { isFirefox } from '@portico/rules/wallet-app'
import { useWalletBrand } from '@portico/shell/wallet-brand'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { Link } from '@portico/ui/link'
import { Stack } from '@portico/ui/stack'
import type { Event, Progress } from './connect.flow.ts'
import { ConnectFailure, hasEnded } from './connect-failure.tsx'
import { TargetWallet, type TargetWalletProps } from './target-wallet.tsx'

export type ExtensionModalProps = {
  progress: Progress
  /** The account that must connect, if one is selected. */
  target?: TargetWalletProps | undefined
  /** Whether this device is a phone; mobile browsers have no extensions. */
  onPhone: boolean
  send: (event: Event) => void
  onClose: () => void
}

/** The extension-connect modal (§2.8). */
export function ExtensionModal({ progress, target, onPhone, send, onClose }: ExtensionModalProps) {
  const { accountName } = useWalletBrand()
  const open = () => send({ type: 'walletKindChosen', walletKind: 'extension' })
  return (
    <Dialog open title="Chrome Extension Wallet" onClose={onClose}>
      <Stack>
        {target && <TargetWallet {...target} />}
        <ConnectFailure progress={progress} onRetry={open} />
        <p>Connect your wallet by signing with the Chrome browser extension...</p>
        {progress.is === 'missing' && onPhone && (
          <Alert tone="warn" title="Extensions do not work on a phone">
            <p>
              Go back and use the mobile wallet or your {accountName}, or open this page in Chrome
              on a computer.
            </p>
          </Alert>
        )}
        {progress.is === 'missing' && !onPhone && <GetExtension />}
        {!hasEnded(progress) && !(progress.is === 'missing' && onPhone) && (
          <Button kind="secondary" wide onClick={open}>
            {progress.is === 'missing'
              ? 'Look for the extension again'
              : 'Open the extension again'}
          </Button>
        )}
      </Stack>
    </Dialog>
  )
}

/** Links to the extension in the store of this browser. */
export function GetExtension() {
  const { extensionUrl, firefoxExtensionUrl } = useWalletBrand()
  const url = isFirefox(navigator.userAgent) ? firefoxExtensionUrl : extensionUrl
  return (
    <Alert tone="warn" title="The extension is not installed in this browser">
      <p>
        <Link href={url} target="_blank" rel="noopener noreferrer">
          Get the extension
        </Link>
        , then come back here.
      </p>
    </Alert>
  )
}
