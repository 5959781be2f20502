import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import type { WalletKind } from '@portico/rules/wallet-app'
import { orderedWalletKinds, type WalletDiscovery } from '@portico/rules/wallet-discovery'
import { WalletBar } from '@portico/shell/wallet-bar'
import { useWalletBrand } from '@portico/shell/wallet-brand'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Spinner } from '@portico/ui/spinner'
import { Stack } from '@portico/ui/stack'
import { type ReactNode, useId } from 'react'
import { BackToList } from '../back-to-list.tsx'
import { TargetWallet, type TargetWalletProps } from '../connect/target-wallet.tsx'
import type { Event, State } from './verify.flow.ts'
import styles from './verify.module.css'

export type VerifyViewProps = {
  state: State
  /** The wallet to verify; undefined if the user connects a new one. */
  target: TargetWalletProps | undefined
  discovery: WalletDiscovery
  /** Whether the connected wallet names the site that its signature is for, as ours do. */
  namesSite: boolean
  send: (event: Event) => void
  onBack: () => void
  /** The connection in progress, which is a flow of its own. */
  children?: ReactNode
}

const LABELS: Readonly<Record<WalletKind, (accountName: string) => string>> = {
  mobile: () => 'Mobile Wallet',
  extension: () => 'Chrome Extension Wallet',
  hosted: (accountName) => `Use your ${accountName}`,
}

/** The Verify screen of the wallet modal (§2.7). */
export function VerifyView({
  state,
  target,
  discovery,
  namesSite,
  send,
  onBack,
  children,
}: VerifyViewProps) {
  const connecting = state.step === 'CONNECT_NEW'
  const { accountName } = useWalletBrand()
  const lastUsedId = useId()
  return (
    <Stack>
      <Alert tone="info" title={ERROR_CATALOG['wallet-not-verified'].message}>
        <p>Verify that this wallet is yours. You only need to do this once, in two steps.</p>
      </Alert>
      {target && <TargetWallet {...target} />}
      <ol className={styles.steps}>
        <li data-now={connecting || undefined} data-done={!connecting || undefined}>
          Connect your wallet with the mobile app or the extension.
        </li>
        <li data-now={!connecting || undefined}>Sign the transaction in your wallet.</li>
      </ol>
      {connecting ? (
        <>
          <Stack gap="inside">
            {orderedWalletKinds(discovery).map((walletKind) => (
              <Button
                key={walletKind}
                kind="secondary"
                wide
                aria-describedby={walletKind === discovery.lastUsed ? lastUsedId : undefined}
                onClick={() => send({ type: 'walletKindChosen', walletKind })}
              >
                {LABELS[walletKind](accountName)}
              </Button>
            ))}
            {discovery.lastUsed && (
              <p id={lastUsedId} className={styles.hint}>
                Last used: {LABELS[discovery.lastUsed](accountName)}
              </p>
            )}
          </Stack>
          {children}
          <BackToList onBack={onBack} />
        </>
      ) : (
        <>
          <Spinner label={SIGNING[state.step]} />
          {state.step === 'GET_NONCE' && !namesSite && (
            <Alert tone="warn" title="Check this page's address">
              <p>
                Your wallet does not show which site its signature is for. Before you approve, make
                sure that you know the address of this page.
              </p>
            </Alert>
          )}
          {state.step === 'GET_NONCE' && (
            <p>
              Your wallet shows no request?{' '}
              <LinkButton onClick={() => send({ type: 'reconnectRequested' })}>
                Connect it again
              </LinkButton>
            </p>
          )}
          <p>
            <LinkButton onClick={onBack}>Cancel</LinkButton>
          </p>
          <WalletBar onCancel={onBack}>{SIGNING[state.step]}</WalletBar>
        </>
      )}
    </Stack>
  )
}

const SIGNING: Readonly<Record<Exclude<State['step'], 'CONNECT_NEW'>, string>> = {
  GET_NONCE: 'Waiting for your wallet to sign…',
  ATTACH: 'Checking the signature…',
  SUCCESS: 'Your wallet is verified.',
  ERROR: 'The wallet could not be verified.',
}
