import { findTransaction, type Transaction } from '@portico/chain-client/transfers'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { formatExactTime, formatNumber } from '@portico/rules/format'
import { chainErrorText } from '@portico/rules/wallet-error'
import { useLoad } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Fact, Facts } from '@portico/ui/facts'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { formatCoins } from '@portico/wallet-connect/format-coins'
import { useEnvironment } from '../environment.ts'
import { ACTIVITY_PATH } from '../routes.ts'
import styles from './transaction.module.css'

/** A transaction as recorded by the network. */
export function TransactionPage({ hash }: { hash: string }) {
  const { chainNode, reportError } = useEnvironment()
  const { result, failure, retry } = useLoad(
    async () => (await findTransaction(chainNode, hash)) ?? 'not-found',
    reportError,
  )
  return (
    <Stack gap="sections">
      <h1 tabIndex={-1}>Transaction</h1>
      {failure ? (
        <Alert tone="warn" title="The network did not answer">
          <p>Your transaction is not affected. Try again in a minute.</p>
          <Button kind="secondary" onClick={retry}>
            Try again
          </Button>
        </Alert>
      ) : (
        <TransactionView hash={hash} transaction={result} onRetry={retry} />
      )}
      <p>
        <AnchorButton kind="secondary" href={ACTIVITY_PATH}>
          All activity
        </AnchorButton>
      </p>
    </Stack>
  )
}

/** `transaction` is undefined while it is loading. */
export function TransactionView({
  hash,
  transaction,
  onRetry,
}: {
  hash: string
  transaction: Transaction | 'not-found' | undefined
  onRetry: () => void
}) {
  if (transaction === undefined)
    return <Skeleton shape="text" count={6} label="Loading the transaction" />
  if (transaction === 'not-found') {
    return (
      <Alert tone="warn" title="It is not in a block yet">
        <p>
          A transaction that was just sent takes a few seconds. If it does not appear, the network
          did not accept it, and nothing was sent.
        </p>
        <Button kind="secondary" onClick={onRetry}>
          Check again
        </Button>
      </Alert>
    )
  }
  const { code, rawLog, height, at, transfers, fee, memo } = transaction
  return (
    <>
      {code === 0 ? (
        <Alert tone="ok" title="Accepted by the network" />
      ) : (
        <Alert tone="danger" title="Not accepted by the network">
          <p>Only the fee was charged.</p>
          <p className={styles.log}>{chainErrorText(rawLog)}</p>
        </Alert>
      )}
      <Facts>
        {transfers.map(({ from, to, coins }, index) => (
          // The index is a stable key: the list never changes.
          <Fact key={index} label="Payment">
            {formatCoins(coins)}
            <span className={styles.address}>From {from}</span>
            <span className={styles.address}>To {to}</span>
          </Fact>
        ))}
        <Fact label="Fee">{formatCoins(fee)}</Fact>
        {memo !== '' && (
          <Fact label="Memo">
            <bdi>{escapeInvisible(memo)}</bdi>
          </Fact>
        )}
        <Fact label="Block">{formatNumber(height)}</Fact>
        <Fact label="Time">
          <time dateTime={at}>{formatExactTime(at)}</time>
        </Fact>
        <Fact label="Transaction hash">
          <span className={styles.address}>{hash}</span>
        </Fact>
      </Facts>
    </>
  )
}
