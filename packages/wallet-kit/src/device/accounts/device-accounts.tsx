import { shortAddress } from '@portico/rules/short-address'
import { useCall } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { type ReactNode, useState } from 'react'
import { FailureNotice } from '../../failure-notice.tsx'
import type { WalletAccount } from '../../key-keeper.ts'
import { Screen } from '../../screen.tsx'
import { UntrustedText } from '../../untrusted-text.tsx'
import { CopyButton } from '../copy-button.tsx'
import { useDeviceEnvironment } from '../environment.ts'
import list from '../list.module.css'
import { useLive } from '../use-live.ts'
import { type AccountForm, AccountNameForm } from './account-name-form.tsx'
import styles from './device-accounts.module.css'

/** The accounts of the wallet, with their balances and groups. */
export function DeviceAccounts({ isNew }: { isNew: boolean }) {
  const { keeper, balances, reportError } = useDeviceEnvironment()
  const [form, setForm] = useState<AccountForm>()
  const {
    value: accounts,
    failure,
    reload,
  } = useLive(keeper.accounts, keeper.subscribe, reportError)
  if (form !== undefined) {
    return <AccountNameForm form={form} onDone={() => setForm(undefined)} />
  }
  if (failure !== undefined) {
    return (
      <Screen title="Your accounts">
        <FailureNotice failure={failure} />
        <Button wide kind="secondary" onClick={reload}>
          Try again
        </Button>
      </Screen>
    )
  }
  return (
    <Screen title="Your accounts">
      {isNew && (
        <Alert tone="ok" title="Your wallet is ready">
          <p>Keep your recovery words safe. You will need them if you lose this device.</p>
        </Alert>
      )}
      {accounts === undefined ? (
        <Skeleton shape="card" count={2} label="Loading your accounts" />
      ) : (
        <>
          <Balances accounts={accounts} read={balances}>
            {(balanceOf) => (
              <ul className={list.list}>
                {accounts.map((account) => (
                  <Account
                    key={account.address}
                    account={account}
                    balance={balanceOf(account.address)}
                    onRename={() => setForm({ kind: 'rename', account })}
                  />
                ))}
              </ul>
            )}
          </Balances>
          <p>
            <LinkButton onClick={() => setForm({ kind: 'create', number: accounts.length + 1 })}>
              Create another account
            </LinkButton>
          </p>
        </>
      )}
    </Screen>
  )
}

/** The balance of an account; undefined while it is loading, null if it cannot be read. */
type BalanceOf = (address: string) => string | null | undefined

/** Balances load and fail apart from the accounts, which work without the network. */
function Balances({
  accounts,
  read,
  children,
}: {
  accounts: readonly WalletAccount[]
  read: ((addresses: readonly string[]) => Promise<ReadonlyMap<string, string>>) | undefined
  children: (balanceOf: BalanceOf) => ReactNode
}) {
  return read === undefined ? (
    children(() => '')
  ) : (
    <LoadedBalances
      key={accounts.map(({ address }) => address).join()}
      accounts={accounts}
      read={read}
    >
      {children}
    </LoadedBalances>
  )
}

function LoadedBalances({
  accounts,
  read,
  children,
}: {
  accounts: readonly WalletAccount[]
  read: (addresses: readonly string[]) => Promise<ReadonlyMap<string, string>>
  children: (balanceOf: BalanceOf) => ReactNode
}) {
  const { keeper, reportError } = useDeviceEnvironment()
  const { value, failure, reload } = useLive(
    () => read(accounts.map(({ address }) => address)),
    keeper.subscribe,
    reportError,
  )
  return (
    <>
      {children((address) => (failure === undefined ? value && (value.get(address) ?? '') : null))}
      {failure && (
        <p className={list.muted}>
          We could not read your balances. <LinkButton onClick={reload}>Try again</LinkButton>
        </p>
      )}
    </>
  )
}

function Account({
  account: { name, address, groups },
  balance,
  onRename,
}: {
  account: WalletAccount
  balance: string | null | undefined
  onRename: () => void
}) {
  const { requestFunds } = useDeviceEnvironment()
  return (
    <li className={list.item}>
      <div className={list.line}>
        <p className={list.title}>
          <UntrustedText>{name}</UntrustedText>
        </p>
        <LinkButton aria-label={`Rename ${name}`} onClick={onRename}>
          Rename
        </LinkButton>
      </div>
      {balance === undefined ? (
        <Skeleton shape="text" count={1} label={`Loading the balance of ${name}`} />
      ) : (
        balance !== null && balance !== '' && <p className={styles.balance}>{balance}</p>
      )}
      <p className={styles.address}>
        <span title={address}>{shortAddress(address)}</span>
        <CopyButton text={address} label={`Copy the address of ${name}`} />
      </p>
      {requestFunds && isLow(balance) && <TestFunds address={address} request={requestFunds} />}
      {groups.length > 0 && (
        <p className={list.muted}>
          Can act for{' '}
          {groups.map((group, index) => (
            <span key={group.address}>
              {index > 0 && ', '}
              <UntrustedText>{group.name}</UntrustedText>
            </span>
          ))}
        </p>
      )}
    </li>
  )
}

/** Less than this does not pay for many transactions, in hash. */
const LOW_BALANCE = 10

/** An account that never received anything has an empty balance. */
const isLow = (balance: string | null | undefined) =>
  typeof balance === 'string' && !(Number.parseFloat(balance.replaceAll(',', '')) >= LOW_BALANCE)

/** In a demonstration, the chain pays test funds. */
function TestFunds({
  address,
  request,
}: {
  address: string
  request: (address: string) => Promise<void>
}) {
  const { reportError } = useDeviceEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const [isPaid, setIsPaid] = useState(false)
  return (
    <>
      {failure && <FailureNotice failure={failure} />}
      {isPaid ? (
        <p role="status">The test funds are in your account.</p>
      ) : (
        <p>
          <LinkButton
            disabled={pending}
            onClick={() =>
              run(
                () => request(address),
                () => setIsPaid(true),
              )
            }
          >
            Get test funds
          </LinkButton>
        </p>
      )}
    </>
  )
}
