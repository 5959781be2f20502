import { useWalletBrand } from '@portico/shell/wallet-brand'
import { Button } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { Stack } from '@portico/ui/stack'
import type { Event, Progress } from './connect.flow.ts'
import styles from './connect.module.css'
import { OnPhone } from './connect.view.tsx'
import { ConnectFailure, hasEnded } from './connect-failure.tsx'
import { QrPicture } from './qr-picture.tsx'
import { StoreBadge } from './store-badge.tsx'
import { TargetWallet, type TargetWalletProps } from './target-wallet.tsx'

export type QrModalProps = {
  progress: Progress
  /** The account that must connect, if one is selected. */
  target?: TargetWalletProps | undefined
  /** Whether this device is a phone, which cannot scan its own screen. */
  onPhone: boolean
  send: (event: Event) => void
  onCopy: (text: string) => void
  /** Opens a link in the phone of a demonstration; undefined in production. */
  onOpenPhone?: ((link: string) => void) | undefined
  onClose: () => void
}

/** The standalone QR modal (§2.8), for the wallet on a phone. */
export function QrModal({
  progress,
  target,
  onPhone,
  send,
  onCopy,
  onOpenPhone,
  onClose,
}: QrModalProps) {
  const code = progress.is === 'waiting' ? progress.code : undefined
  const { appleStoreUrl, googleStoreUrl, mobileName } = useWalletBrand()
  const copyCode = (
    <Button
      kind="secondary"
      wide
      disabled={code === undefined}
      onClick={() => code && onCopy(code.link)}
    >
      Copy QR Code
    </Button>
  )
  return (
    <Dialog open title={`Scan the QR Code with your ${mobileName}`} onClose={onClose}>
      <Stack>
        {target && <TargetWallet {...target} />}
        <ConnectFailure
          progress={progress}
          onRetry={() => send({ type: 'walletKindChosen', walletKind: 'mobile' })}
        />
        {!hasEnded(progress) &&
          (onPhone ? (
            <OnPhone code={code} size={256}>
              {copyCode}
            </OnPhone>
          ) : (
            <>
              <div className={styles.alone}>
                <QrPicture code={code} size={256} />
              </div>
              {copyCode}
              {onOpenPhone && (
                <Button
                  kind="quiet"
                  wide
                  disabled={code === undefined}
                  onClick={() => code && onOpenPhone(code.tapLink)}
                >
                  Open the demonstration phone
                </Button>
              )}
            </>
          ))}
        <Stack gap="inside">
          <p>Download the mobile wallet:</p>
          <div className={styles.badges}>
            <StoreBadge store="apple" href={appleStoreUrl} />
            <StoreBadge store="google" href={googleStoreUrl} />
          </div>
        </Stack>
      </Stack>
    </Dialog>
  )
}
