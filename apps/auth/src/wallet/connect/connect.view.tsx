import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Divider } from '@portico/ui/divider'
import { Icon } from '@portico/ui/icon'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import type { Event, State } from './connect.flow.ts'
import styles from './connect.module.css'
import { ConnectFailure } from './connect-failure.tsx'
import { QrPicture } from './qr-picture.tsx'
import { TargetWallet } from './target-wallet.tsx'

/** What the Connect screen shows besides its state. */
export type ConnectViewProps = {
  state: Extract<State, { step: 'connecting' }>
  send: (event: Event) => void
  /** Whose signature is awaited in the hosted wallet's window. */
  account: { name: string; address: string } | undefined
  /** Whether the chosen wallet is hosted (FIGURE or OLDNET). */
  hosted: boolean
  onCopy: (text: string) => void
  onBack: () => void
}

/** The Connect screen of the wallet modal (§2.7). */
export function ConnectView(props: ConnectViewProps) {
  return props.hosted ? <HostedView {...props} /> : <CodeView {...props} />
}

function CodeView({ state: { progress }, send, onCopy, onBack }: ConnectViewProps) {
  const code = progress.is === 'waiting' ? progress.code : undefined
  const retry = () => send({ type: 'wayChosen', way: 'mobile' })
  return (
    <Stack>
      <ConnectFailure progress={progress} onRetry={retry} />
      {progress.is !== 'failed' && (
        <div className={styles.scan}>
          <div className={styles.code}>
            <QrPicture code={code} size={182} />
            <LinkButton disabled={code === undefined} onClick={() => code && onCopy(code.link)}>
              <Icon name="copy" />
              Copy link to QR
            </LinkButton>
          </div>
          <ol className={styles.steps}>
            <li>Scan the QR code with your mobile wallet.</li>
            <li>Approve the notification on your phone.</li>
            <li>Return to this page.</li>
          </ol>
        </div>
      )}
      {code?.isMobile && (
        <AnchorButton wide href={code.tapLink}>
          Open the mobile wallet
        </AnchorButton>
      )}
      <Divider>or</Divider>
      <div className={styles.alternatives}>
        <Button kind="secondary" onClick={() => send({ type: 'wayChosen', way: 'extension' })}>
          Chrome Extension Wallet
        </Button>
        <Button kind="secondary" onClick={onBack}>
          Select A Different Wallet
        </Button>
      </div>
    </Stack>
  )
}

function HostedView({ state: { progress }, send, account, onBack }: ConnectViewProps) {
  const open = () => send({ type: 'wayChosen', way: 'hosted' })
  return (
    <Stack>
      <ConnectFailure progress={progress} onRetry={open} />
      {account && <TargetWallet {...account} />}
      {progress.is !== 'failed' && (
        <p className={styles.awaiting} role="status">
          Awaiting signature in <strong>Figure Wallet</strong>
        </p>
      )}
      <Button wide onClick={open}>
        Use your Figure Account
      </Button>
      <p>
        <LinkButton onClick={onBack}>Select A Different Wallet</LinkButton>
      </p>
    </Stack>
  )
}
