import { ROUTER_BASE } from '@portico/contracts/limits'
import { signerText } from '@portico/rules/account-sections'
import { messageError } from '@portico/rules/signed-message'
import { walletKindOf } from '@portico/rules/wallet-app'
import { connectAddress } from '@portico/rules/wallet-redirects'
import { useForm } from '@portico/shell/form'
import { WalletBar } from '@portico/shell/wallet-bar'
import { useWalletBrand } from '@portico/shell/wallet-brand'
import { Alert } from '@portico/ui/alert'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { RowLink } from '@portico/ui/row-link'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { TextArea } from '@portico/ui/text-area'
import type { WCSState } from '@portico/wallet-connect/session'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Accounts } from '../accounts.ts'
import { transactionPath, WALLET_PATH } from '../routes.ts'
import type { Event, Operation, State } from './wallet-card.flow.ts'
import styles from './wallet-card.module.css'

export type WalletCardViewProps = {
  state: State
  send: (event: Event) => void
  /** The wallet's session. */
  wallet: Pick<WCSState, 'address' | 'representedGroupPolicy' | 'status' | 'walletInfo'>
  /** The remaining connection time in words. */
  life: string | undefined
  /** The connected account's balance and payments. */
  payments: ReactNode
}

/** The wallet page, where accounts are selected, verified and created; it returns here. */
const CHOOSE_ACCOUNT = `${ROUTER_BASE}/wallet?${new URLSearchParams({ redirectUrl: WALLET_PATH })}`

/** The connected wallet, the operations available and the last outcome. */
export function WalletCardView({ state, send, wallet, life, payments }: WalletCardViewProps) {
  const card = useRef<HTMLDivElement>(null)
  const isWaiting =
    wallet.status === 'pending' || state.step === 'operating' || state.step === 'confirming'
  useEffect(() => {
    const { current } = card
    if (!isWaiting || current === null) return undefined
    keepFocus(current)
    return () => keepFocus(current)
  }, [isWaiting])
  if (state.step === 'reading') {
    return <Skeleton shape="card" label="Loading your accounts" />
  }
  const outcome = state.step === 'idle' ? state.outcome : undefined
  const { acting } = state.accounts
  const request = (operation: Operation) => send({ type: 'operationRequested', operation })
  return (
    <div ref={card} className={styles.card} role="group" aria-labelledby="wallet" tabIndex={-1}>
      {outcome && (
        <Alert tone={outcome.tone} title={outcome.title}>
          {outcome.detail && <p className={styles.detail}>{outcome.detail}</p>}
          {outcome.transaction && (
            <p>
              <Link href={transactionPath(outcome.transaction)}>Show the transaction</Link>
            </p>
          )}
        </Alert>
      )}
      {acting && (
        <p className={styles.acting}>
          You act as{' '}
          <strong>
            <bdi>{acting.account.name}</bdi>
          </strong>
          {acting.authorizedWallet.authorizationType !== 'Owner' && (
            <span className={styles.signing}>
              {signerText({ wallet: acting.authorizedWallet })}
            </span>
          )}
        </p>
      )}
      {wallet.status === 'connected' ? (
        <Connected {...{ state, send, request, wallet, life, payments }} />
      ) : (
        <NotConnected
          pending={wallet.status === 'pending'}
          accounts={state.accounts}
          request={request}
        />
      )}
      <RowLink
        href={CHOOSE_ACCOUNT}
        title="Choose the account you act as, or connect another wallet"
      />
    </div>
  )
}

/**
 * Takes over the focus from a button that is disabled or removed, so that it does not fall back to the page. Browsers blur a
 * disabled button only later.
 */
function keepFocus(card: HTMLElement): void {
  const { activeElement } = document
  const isLost = activeElement === document.body || activeElement?.matches(':disabled') === true
  if (isLost) card.focus({ preventScroll: true })
}

function NotConnected({
  pending,
  accounts: { acting, items },
  request,
}: {
  pending: boolean
  accounts: Accounts
  request: (operation: Operation) => void
}) {
  const { accountName } = useWalletBrand()
  const disconnect = () => request({ kind: 'disconnect' })
  if (acting !== undefined && walletKindOf(acting.authorizedWallet.type) !== 'hosted') {
    return (
      <div className={styles.actions}>
        <AnchorButton kind="secondary" href={connectAddress(WALLET_PATH)}>
          Connect {acting.authorizedWallet.name}
        </AnchorButton>
      </div>
    )
  }
  const wallets = items.flatMap(({ authorizedWallets }) => authorizedWallets)
  if (wallets.length > 0 && wallets.every(({ type }) => walletKindOf(type) !== 'hosted')) {
    return (
      <div className={styles.actions}>
        <AnchorButton kind="secondary" href={CHOOSE_ACCOUNT}>
          Connect your wallet
        </AnchorButton>
      </div>
    )
  }
  return (
    <div className={styles.actions}>
      <Button
        kind="secondary"
        busy={pending}
        busyLabel="Waiting for your wallet…"
        onClick={() => request({ kind: 'connect' })}
      >
        Connect your {accountName}
      </Button>
      {pending && (
        <>
          <Button kind="quiet" onClick={disconnect}>
            Cancel
          </Button>
          <WalletBar onCancel={disconnect}>Waiting for your wallet…</WalletBar>
        </>
      )}
    </div>
  )
}

function Connected({
  state,
  send,
  request,
  wallet: { address, representedGroupPolicy: group, walletInfo },
  life,
  payments,
}: {
  state: Exclude<State, { step: 'reading' }>
  send: (event: Event) => void
  request: (operation: Operation) => void
  wallet: WalletCardViewProps['wallet']
  life: string | undefined
  payments: ReactNode
}) {
  const busy = state.step !== 'idle'
  const operating = state.step === 'operating' ? state : undefined
  const groups = state.accounts.items.filter(({ authorizedWallets }) =>
    authorizedWallets.some(
      (signer) => signer.address === address && signer.authorizationType === 'Group',
    ),
  )
  const withdraw =
    operating && ['send', 'sign-message', 'sign-token'].includes(operating.operation.kind)
      ? () => send({ type: 'withdrawalRequested' })
      : undefined
  const waiting =
    state.step === 'confirming'
      ? 'Sent. Waiting until it is in a block…'
      : (operating?.notice ?? 'Please answer the request in your wallet…')
  const actedFor = groups.find(({ account }) => account.address === group?.address)
  return (
    <>
      <div className={styles.account}>
        <div className={styles.words}>
          <p className={styles.name}>{walletInfo.name}</p>
          <p className={styles.address}>{address}</p>
          {group && <p>Acting for {actedFor?.account.name ?? group.address}</p>}
          {life && <p className={styles.life}>Connected for {life} more</p>}
        </div>
        <LinkButton disabled={busy} onClick={() => request({ kind: 'disconnect' })}>
          Disconnect
        </LinkButton>
      </div>
      {busy && (
        <div className={styles.actions}>
          <p className={styles.status} role="status">
            {waiting}
          </p>
          {withdraw && (
            <Button
              kind="quiet"
              busy={operating?.withdrawing ?? false}
              busyLabel="Withdrawing…"
              onClick={withdraw}
            >
              Withdraw the request
            </Button>
          )}
          {operating && <WalletBar onCancel={withdraw}>{waiting}</WalletBar>}
        </div>
      )}
      {payments}
      <section className={styles.payments} aria-labelledby="sign">
        <h2 id="sign">Sign</h2>
        <MessageForm busy={busy} request={request}>
          <Button kind="secondary" disabled={busy} onClick={() => request({ kind: 'sign-token' })}>
            Sign a token
          </Button>
          {groups
            .filter(({ account }) => account.address !== group?.address)
            .map(({ account }) => (
              <Button
                key={account.address}
                kind="secondary"
                disabled={busy}
                onClick={() => request({ kind: 'switch-group', group: account.address })}
              >
                Act for {account.name}
              </Button>
            ))}
          {group && (
            <Button
              kind="secondary"
              disabled={busy}
              onClick={() => request({ kind: 'switch-group', group: undefined })}
            >
              Act as yourself
            </Button>
          )}
        </MessageForm>
      </section>
    </>
  )
}

function MessageForm({
  busy,
  request,
  children,
}: {
  busy: boolean
  request: (operation: Operation) => void
  /** Buttons for other operations. */
  children: ReactNode
}) {
  const { field, submit } = useForm({ message: ({ message }) => messageError(message) })
  return (
    <form
      method="post"
      noValidate
      onSubmit={submit(({ message: text }) => request({ kind: 'sign-message', text }))}
    >
      <Stack gap="fields">
        <TextArea
          {...field('message')}
          label="Message to sign"
          hint="Your wallet shows it before you sign."
          rows={3}
        />
        <div className={styles.actions}>
          <Button type="submit" kind="secondary" disabled={busy}>
            Sign the message
          </Button>
          {children}
        </div>
      </Stack>
    </form>
  )
}
