import { convertWallet } from '@portico/contracts/wallet'
import { returnTarget } from '@portico/rules/redirect-target'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere } from '@portico/shell/form'
import { useCall } from '@portico/shell/use-call'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { useState } from 'react'
import { useEnvironment } from '../../environment.ts'
import styles from './convert-wallet.module.css'

export type ConvertWalletProps = {
  walletAddress: string
  query: URLSearchParams
  supportPhone: string
}

/** The conversion page (§2.2), which explains the consequences before the user confirms. */
export function ConvertWallet({ walletAddress, query, supportPhone }: ConvertWalletProps) {
  const { client, location, navigate, reportError } = useEnvironment()
  const to = returnTarget(query.get('redirectUrl'), location().origin)
  const { pending, failure, run } = useCall(reportError)
  const [address, setAddress] = useState<string>()
  if (address !== undefined) return <Converted address={address} onContinue={() => navigate(to)} />
  const convert = () =>
    run(
      // Not aborted: the conversion completes even if the user leaves the page.
      () => client(convertWallet, { body: { walletAddress } }),
      (converted) => setAddress(converted.address),
    )
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
      <Stack gap="inside">
        <Button wide busy={pending} busyLabel="Converting…" onClick={convert}>
          Convert wallet
        </Button>
        <AnchorButton kind="secondary" wide href={to}>
          Not now
        </AnchorButton>
      </Stack>
    </Stack>
  )
}

export function Converted({ address, onContinue }: { address: string; onContinue: () => void }) {
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
