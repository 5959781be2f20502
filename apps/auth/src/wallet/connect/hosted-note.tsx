import { WalletBar } from '@portico/shell/wallet-bar'
import { useWalletBrand } from '@portico/shell/wallet-brand'
import { LinkButton } from '@portico/ui/link-button'
import type { Event, Progress } from './connect.flow.ts'
import { ConnectFailure, hasEnded } from './connect-failure.tsx'

/** Asks the user to respond in the hosted wallet and offers a link to reopen it. */
export function HostedNote({
  progress,
  send,
  onClose,
}: {
  progress: Progress
  send: (event: Event) => void
  onClose: () => void
}) {
  const { walletName } = useWalletBrand()
  const open = () => send({ type: 'walletKindChosen', walletKind: 'hosted' })
  if (hasEnded(progress)) return <ConnectFailure progress={progress} onRetry={open} />
  return (
    <>
      <p role="status">
        Awaiting signature in <strong>{walletName}</strong>.{' '}
        <LinkButton onClick={open}>Open it again</LinkButton>
      </p>
      <WalletBar onCancel={onClose}>
        Awaiting signature in <strong>{walletName}</strong>
      </WalletBar>
    </>
  )
}
