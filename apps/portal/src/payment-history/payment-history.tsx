import type { ChainNode } from '@portico/chain-client/chain'
import { listTransfers, type Transaction } from '@portico/chain-client/transfers'
import { isSameAddress } from '@portico/rules/bech32'
import { formatTime } from '@portico/rules/format'
import { shortAddress } from '@portico/rules/short-address'
import { useLoad } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { formatCoins } from '@portico/wallet-connect/format-coins'
import styles from '../history.module.css'
import { transactionPath } from '../routes.ts'

/** The latest payments of an account, each with a link to its transaction. */
export function PaymentHistory({
  account,
  chainNode,
  reportError,
}: {
  account: string
  chainNode: ChainNode
  reportError: (error: unknown) => void
}) {
  const { result, failure, retry } = useLoad(() => listTransfers(chainNode, account), reportError)
  if (failure) {
    return (
      <Alert tone="warn" title="We could not load your payments">
        <p>The network did not answer. Your payments are safe.</p>
        <LinkButton onClick={retry}>Try again</LinkButton>
      </Alert>
    )
  }
  if (result === undefined) {
    return <Skeleton shape="text" count={3} label="Loading your payments" />
  }
  if (result.length === 0) {
    return <p className={styles.empty}>What you send and receive appears here.</p>
  }
  return (
    <ul className={styles.history}>
      {result.map((transaction) => (
        <li key={transaction.hash}>
          <Link href={transactionPath(transaction.hash)}>{summaryOf(transaction, account)}</Link>
          <time dateTime={transaction.at}>{formatTime(transaction.at)}</time>
        </li>
      ))}
    </ul>
  )
}

/** A transaction from the account's point of view, such as 'Sent 25 hash to tp1kn...tklkh'. */
function summaryOf({ code, transfers }: Transaction, account: string): string {
  const [transfer, ...others] = transfers.filter(
    ({ from, to }) => isSameAddress(from, account) || isSameAddress(to, account),
  )
  if (code !== 0 || transfer === undefined) return 'Not accepted by the network'
  const isSent = isSameAddress(transfer.from, account)
  const amount = formatCoins(transfer.coins)
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  return isSent
    ? `Sent ${amount} to ${shortAddress(transfer.to)}${more}`
    : `Received ${amount} from ${shortAddress(transfer.from)}${more}`
}
