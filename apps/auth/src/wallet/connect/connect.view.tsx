import { orderedWalletKinds, type WalletDiscovery } from '@portico/rules/wallet-discovery'
import { WalletBar } from '@portico/shell/wallet-bar'
import { useWalletBrand } from '@portico/shell/wallet-brand'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Divider } from '@portico/ui/divider'
import { Icon } from '@portico/ui/icon'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import type { ConnectCode, Event, State } from './connect.flow.ts'
import styles from './connect.module.css'
import { ConnectFailure, hasEnded } from './connect-failure.tsx'
import { PhoneHelp } from './phone-help.tsx'
import { QrPicture, type QrSize } from './qr-picture.tsx'
import { TargetWallet, type TargetWalletProps } from './target-wallet.tsx'

export type ConnectViewProps = {
  state: Extract<State, { step: 'connecting' }>
  send: (event: Event) => void
  /** The account that must connect. */
  target: TargetWalletProps
  /** Whether the wallet is hosted (FIGURE or OLDNET). */
  hosted: boolean
  discovery: WalletDiscovery
  /** This page's host. */
  hostname: string
  onCopy: (text: string) => void
  /** Opens a link in the phone of a demonstration; undefined in production. */
  onOpenPhone?: ((link: string) => void) | undefined
  onBack: () => void
}

/** The Connect screen of the wallet modal (§2.7). */
export function ConnectView(props: ConnectViewProps) {
  return props.hosted ? <HostedView {...props} /> : <CodeView {...props} />
}

function CodeView({
  state: { progress },
  send,
  target,
  discovery,
  hostname,
  onCopy,
  onOpenPhone,
  onBack,
}: ConnectViewProps) {
  const { lastUsed, onPhone } = discovery
  const code = progress.is === 'waiting' ? progress.code : undefined
  const retry = () => send({ type: 'walletKindChosen', walletKind: 'mobile' })
  const copyLink = (
    <LinkButton disabled={code === undefined} onClick={() => code && onCopy(code.link)}>
      <Icon name="copy" />
      Copy link to QR
    </LinkButton>
  )
  const ended = hasEnded(progress)
  const isExtensionFirst = orderedWalletKinds(discovery)[0] === 'extension'
  const extension = (
    <Button
      // After a failure, 'Try again' comes first.
      kind={isExtensionFirst && !ended ? 'primary' : 'secondary'}
      wide={isExtensionFirst}
      onClick={() => send({ type: 'walletKindChosen', walletKind: 'extension' })}
    >
      Chrome Extension Wallet
    </Button>
  )
  return (
    <Stack>
      <TargetWallet {...target} />
      <ConnectFailure progress={progress} onRetry={retry} />
      {isExtensionFirst && (
        <>
          <Stack gap="inside">
            {extension}
            <p className={styles.hint}>
              {lastUsed === 'extension' ? 'You used this last time.' : 'Installed in this browser.'}
            </p>
          </Stack>
          {!ended && <Divider>or use your phone</Divider>}
        </>
      )}
      {!ended &&
        (onPhone ? (
          <OnPhone code={code} size={182}>
            <p className={styles.copy}>{copyLink}</p>
          </OnPhone>
        ) : (
          <div className={styles.scan}>
            <div className={styles.code}>
              <QrPicture code={code} size={182} />
              {copyLink}
              {onOpenPhone && (
                <LinkButton
                  disabled={code === undefined}
                  onClick={() => code && onOpenPhone(code.tapLink)}
                >
                  Open the demonstration phone
                </LinkButton>
              )}
            </div>
            <ol className={styles.steps}>
              <li>Scan the QR code with your mobile wallet.</li>
              <li>Approve the notification on your phone.</li>
              <li>Return to this page.</li>
            </ol>
          </div>
        ))}
      {!ended && !onPhone && <PhoneHelp hostname={hostname} />}
      {onPhone ? (
        <Button kind="secondary" wide onClick={onBack}>
          Select A Different Wallet
        </Button>
      ) : (
        <>
          <Divider>or</Divider>
          <div className={styles.alternatives}>
            {!isExtensionFirst && extension}
            <Button kind="secondary" onClick={onBack}>
              Select A Different Wallet
            </Button>
          </div>
        </>
      )}
    </Stack>
  )
}

/** On a phone the wallet opens with a link on the same device; the QR code is for a second phone. */
export function OnPhone({
  code,
  size,
  children,
}: {
  /** Undefined while it is being prepared. */
  code: ConnectCode | undefined
  size: QrSize
  children: ReactNode
}) {
  return (
    <Stack gap="inside">
      {code === undefined ? (
        <Button wide disabled>
          Open the mobile wallet
        </Button>
      ) : (
        // In a new tab, because this page waits for the wallet's response.
        <AnchorButton wide href={code.tapLink} target="_blank" rel="noopener">
          Open the mobile wallet
        </AnchorButton>
      )}
      <p className={styles.hint}>Approve the connection there, then return to this page.</p>
      {children}
      <details className={styles.elsewhere}>
        <summary>Use another phone</summary>
        <div className={styles.code}>
          <QrPicture code={code} size={size} />
          <p>Scan the QR code with the mobile wallet on the other phone.</p>
        </div>
      </details>
    </Stack>
  )
}

function HostedView({ state: { progress }, send, target, onBack }: ConnectViewProps) {
  const open = () => send({ type: 'walletKindChosen', walletKind: 'hosted' })
  const ended = hasEnded(progress)
  const { accountName, walletName } = useWalletBrand()
  return (
    <Stack>
      <TargetWallet {...target} />
      <ConnectFailure progress={progress} onRetry={open} />
      {!ended && (
        <>
          <p className={styles.awaiting} role="status">
            Awaiting signature in <strong>{walletName}</strong>
          </p>
          <Button wide onClick={open}>
            Use your {accountName}
          </Button>
        </>
      )}
      <p>
        <LinkButton onClick={onBack}>Select A Different Wallet</LinkButton>
      </p>
      {!ended && (
        <WalletBar onCancel={onBack}>
          Awaiting signature in <strong>{walletName}</strong>
        </WalletBar>
      )}
    </Stack>
  )
}
