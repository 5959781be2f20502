import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { Stack } from '@portico/ui/stack'
import {
  APP_STORE_APPLE_FIGURE,
  APP_STORE_GOOGLE_PLAY_FIGURE,
} from '@portico/wallet-connect/session'
import type { Event, Progress } from './connect.flow.ts'
import styles from './connect.module.css'
import { ConnectFailure } from './connect-failure.tsx'
import { QrPicture } from './qr-picture.tsx'
import { StoreBadge } from './store-badge.tsx'

/** What the standalone QR modal takes. */
export type QrModalProps = {
  progress: Progress
  send: (event: Event) => void
  onCopy: (text: string) => void
  onClose: () => void
}

/** The standalone QR modal (§2.8), for the wallet on a phone. */
export function QrModal({ progress, send, onCopy, onClose }: QrModalProps) {
  const code = progress.is === 'waiting' ? progress.code : undefined
  return (
    <Dialog open title="Scan the QR Code with your Figure Mobile Wallet" onClose={onClose}>
      <Stack>
        <ConnectFailure
          progress={progress}
          onRetry={() => send({ type: 'wayChosen', way: 'mobile' })}
        />
        {progress.is !== 'failed' && (
          <div className={styles.code}>
            <QrPicture code={code} size={256} />
          </div>
        )}
        {code?.isMobile && (
          <AnchorButton wide href={code.tapLink}>
            Open the mobile wallet
          </AnchorButton>
        )}
        <Button
          kind="secondary"
          wide
          disabled={code === undefined}
          onClick={() => code && onCopy(code.link)}
        >
          Copy QR Code
        </Button>
        <Stack gap="inside">
          <p>Download the mobile wallet:</p>
          <div className={styles.badges}>
            <StoreBadge store="apple" href={APP_STORE_APPLE_FIGURE} />
            <StoreBadge store="google" href={APP_STORE_GOOGLE_PLAY_FIGURE} />
          </div>
        </Stack>
      </Stack>
    </Dialog>
  )
}
