import type { Chain } from '@portico/chain-client/chain'
import { convertWallet, readWalletAccounts } from '@portico/contracts/wallet'
import { returnTarget } from '@portico/rules/redirect-target'
import { createWalletAddress } from '@portico/rules/wallet-redirects'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere } from '@portico/shell/form'
import { useCall, useLoad } from '@portico/shell/use-call'
import { useWalletBrand } from '@portico/shell/wallet-brand'
import { Alert } from '@portico/ui/alert'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Checkbox } from '@portico/ui/checkbox'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { formatCoins } from '@portico/wallet-connect/format-coins'
import { useState } from 'react'
import { useEnvironment } from '../../environment.ts'
import styles from './convert-wallet.module.css'

export type ConvertWalletProps = {
  walletAddress: string
  query: URLSearchParams
  supportPhone: string
  chain: Pick<Chain, 'balances'>
}

/** What the old address holds, such as '1,000 hash'; empty for nothing, undefined if the blockchain did not respond. */
type Held = string | undefined

interface Target {
  readonly name: string
  readonly address: string
}

/** The conversion page (§2.2). Money stays at the old address, so the user sends it elsewhere first. */
export function ConvertWallet({ walletAddress, query, supportPhone, chain }: ConvertWalletProps) {
  const { client, location, navigate, reportError } = useEnvironment()
  const to = returnTarget(query.get('redirectUrl'), location().origin)
  const { pending, failure, run } = useCall(reportError)
  const [address, setAddress] = useState<string>()
  const { result, reload } = useLoad(async (signal) => {
    const [held, targets] = await Promise.all([
      chain.balances(walletAddress).then(textOf, () => undefined),
      client(readWalletAccounts, { signal }).catch(() => []),
    ])
    const isTarget = (target: { readonly type: string; readonly verified: boolean }) =>
      target.verified && target.type !== 'PROVENANCE'
    return { held, targets: targets.filter(isTarget) }
  }, reportError)
  if (address !== undefined) {
    const left = result?.held ? { held: result.held, address: walletAddress } : undefined
    return <Converted address={address} left={left} onContinue={() => navigate(to)} />
  }
  const convert = () =>
    run(
      // Not aborted: the conversion completes even if the user leaves the page.
      () => client(convertWallet, { body: { walletAddress } }),
      (converted) => setAddress(converted.address),
    )
  const { pathname, search } = location()
  return (
    <Stack>
      <h1 tabIndex={-1}>Convert your Provenance Wallet</h1>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      <p>
        We will create a new hosted wallet for you and move the accounts of your old wallet to it.
        Your old wallet will no longer be able to sign for them. This cannot be undone.
      </p>
      <p className={styles.old}>
        Old wallet
        <code>{walletAddress}</code>
      </p>
      {result === undefined ? (
        <Skeleton shape="text" count={2} label="Checking what your old wallet holds" />
      ) : (
        <ConvertSteps
          {...result}
          createHref={createWalletAddress(`${pathname}${search}`)}
          to={to}
          pending={pending}
          onCheck={reload}
          onConvert={convert}
        />
      )}
    </Stack>
  )
}

const textOf = (coins: readonly { readonly denom: string; readonly amount: string }[]) => {
  const some = coins.filter(({ amount }) => amount !== '0')
  return some.length === 0 ? '' : formatCoins(some)
}

/** First the money, then the conversion. */
export function ConvertSteps({
  held,
  targets,
  createHref,
  to,
  pending,
  onCheck,
  onConvert,
}: {
  held: Held
  /** The user's other wallet accounts, to which the money can be sent. */
  targets: readonly Target[]
  createHref: string
  to: string
  pending: boolean
  onCheck: () => void
  onConvert: () => void
}) {
  const { accountName } = useWalletBrand()
  const [isSettled, setSettled] = useState(false)
  const hasMoney = held !== ''
  return (
    <>
      {hasMoney && (
        <Alert tone="warn" title="Move your money first">
          <Stack gap="inside">
            <p>
              {held === undefined
                ? 'We cannot reach the blockchain to see what your old wallet holds.'
                : `Your old wallet holds ${held}.`}{' '}
              Converting does not move money. It stays at the old address, and only the app with the
              recovery words of your old wallet can send it.
            </p>
            <p>
              1. Open that app and send the money to
              {targets.length === 0 ? (
                <>
                  {' '}
                  another wallet account.{' '}
                  <Link href={createHref}>Create a new wallet account to receive it</Link>
                </>
              ) : (
                ' one of your other wallet accounts:'
              )}
            </p>
            {targets.map(({ name, address }) => (
              <p key={address} className={styles.old}>
                <bdi>{name || accountName}</bdi>
                <code>{address}</code>
              </p>
            ))}
            <p>
              2. Then <LinkButton onClick={onCheck}>check the balance again</LinkButton>
            </p>
          </Stack>
        </Alert>
      )}
      {hasMoney && (
        <Checkbox
          label="I have moved my money, or I can still send it with my old wallet."
          checked={isSettled}
          onChange={({ currentTarget }) => setSettled(currentTarget.checked)}
        />
      )}
      <Stack gap="inside">
        <Button
          wide
          busy={pending}
          busyLabel="Converting…"
          disabled={hasMoney && !isSettled}
          onClick={onConvert}
        >
          Convert wallet
        </Button>
        <AnchorButton kind="secondary" wide href={to}>
          Not now
        </AnchorButton>
      </Stack>
    </>
  )
}

export function Converted({
  address,
  left,
  onContinue,
}: {
  address: string
  /** What was at the previous address when the page last checked. */
  left?: { readonly held: string; readonly address: string } | undefined
  onContinue: () => void
}) {
  const [leaving, setLeaving] = useState(false)
  return (
    <Stack>
      <h1 ref={focusHere} tabIndex={-1}>
        Your wallet has been converted
      </h1>
      <p>
        It is now a hosted wallet with the same name and all its accounts. The wallet you had before
        can no longer sign for them.
      </p>
      <p className={styles.old}>
        New address
        <code>{address}</code>
      </p>
      {left !== undefined && (
        <Alert tone="warn" title={`${left.held} stayed at your previous address`}>
          <p>
            Send it from the app with the recovery words of that wallet: <code>{left.address}</code>
          </p>
        </Alert>
      )}
      <Button
        wide
        busy={leaving}
        busyLabel="One moment…"
        onClick={() => {
          setLeaving(true)
          onContinue()
        }}
      >
        Continue
      </Button>
    </Stack>
  )
}
