import { shortAddress } from '@portico/rules/short-address'
import { Button } from '@portico/ui/button'
import { Icon } from '@portico/ui/icon'
import { LinkButton } from '@portico/ui/link-button'
import { Spinner } from '@portico/ui/spinner'
import type { ReactNode } from 'react'
import { FailureNotice } from '../failure-notice.tsx'
import type { WalletAccount } from '../key-keeper.ts'
import { Screen } from '../screen.tsx'
import { AccountForm } from './account-form.tsx'
import type { Event, State } from './accounts.flow.ts'
import styles from './accounts.module.css'

/** Renders the form that confirms the user's identity before a change. */
export type RenderConfirmation = (onConfirmed: () => void) => ReactNode

export type AccountsViewProps = {
  state: State
  send: (event: Event) => void
  list: readonly WalletAccount[]
  notice?: ReactNode
  confirm: RenderConfirmation
  onLogIn: () => void
}

/** The list of accounts, or the form that creates, restores or renames one. */
export function AccountsView({ state, send, list, notice, confirm, onLogIn }: AccountsViewProps) {
  switch (state.step) {
    case 'locking':
      return (
        <Screen title="Your accounts">
          <Spinner label="Locking…" />
        </Screen>
      )
    case 'filling':
    case 'saving':
      return <AccountForm key={state.form.kind} state={state} send={send} onLogIn={onLogIn} />
    case 'confirming':
      return (
        <Screen
          title="Confirm it's you"
          actions={
            <Button kind="secondary" onClick={() => send({ type: 'back' })}>
              Back
            </Button>
          }
        >
          {confirm(() => send({ type: 'confirmed' }))}
        </Screen>
      )
    case 'listing':
      return (
        <Screen
          title="Your accounts"
          actions={
            <Button
              kind="secondary"
              onClick={() => send({ type: 'formOpened', form: { kind: 'create' } })}
            >
              Create an account
            </Button>
          }
        >
          {notice}
          {state.failure && <FailureNotice failure={state.failure} onLogIn={onLogIn} />}
          <ul className={styles.list}>
            {list.map((account) => (
              <Account key={account.address} account={account} send={send} />
            ))}
          </ul>
          <p className={styles.links}>
            <LinkButton onClick={() => send({ type: 'formOpened', form: { kind: 'restore' } })}>
              Restore from recovery words
            </LinkButton>
            <LinkButton onClick={() => send({ type: 'lockRequested' })}>Lock the wallet</LinkButton>
          </p>
        </Screen>
      )
  }
}

function Account({ account, send }: { account: WalletAccount; send: (event: Event) => void }) {
  const { name, address, verified, groups } = account
  return (
    <li className={styles.account}>
      <div className={styles.details}>
        <p className={styles.name}>
          {name}
          {verified && (
            <span className={styles.badge}>
              <Icon name="check" />
              Verified
            </span>
          )}
        </p>
        <p className={styles.address} title={address}>
          {shortAddress(address)}
        </p>
        {groups.length > 0 && (
          <p className={styles.groups}>
            May act for {groups.map((group) => group.name).join(', ')}
          </p>
        )}
      </div>
      <LinkButton
        aria-label={`Rename ${name}`}
        onClick={() => send({ type: 'formOpened', form: { kind: 'rename', address, name } })}
      >
        Rename
      </LinkButton>
    </li>
  )
}
