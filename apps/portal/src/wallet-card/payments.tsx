import type { ChainNode } from '@portico/chain-client/chain'
import { listTransfers, readBalance, type Transaction } from '@portico/chain-client/transfers'
import { addressPrefix, isSameAddress } from '@portico/rules/bech32'
import { shortAddress } from '@portico/rules/short-address'
import { amountError, memoError, nhashOf, recipientError } from '@portico/rules/transfer'
import { useForm } from '@portico/shell/form'
import { useLoad } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { formatCoins } from '@portico/wallet-connect/format-coins'
import { transactionPath } from '../routes.ts'
import type { Operation } from './wallet-card.flow.ts'
import styles from './wallet-card.module.css'

type Payment = Extract<Operation, { kind: 'send' }>

/** The balance of the connected account, a form to send from it, and its latest payments. */
export function Payments({
  account,
  chainNode,
  reportError,
  busy,
  onSend,
}: {
  /** The account that pays: the individual's or the group's. */
  account: string
  chainNode: ChainNode
  reportError: (error: unknown) => void
  /** Whether the wallet has a request to answer. */
  busy: boolean
  onSend: (payment: Payment) => void
}) {
  const balance = useLoad(() => readBalance(chainNode, account, 'nhash'), reportError)
  const history = useLoad(() => listTransfers(chainNode, account), reportError)
  return (
    <>
      <section className={styles.payments} aria-labelledby="send">
        <h3 id="send">Send</h3>
        <SendForm account={account} available={balance.result} busy={busy} onSend={onSend} />
      </section>
      <section className={styles.payments} aria-labelledby="payments">
        <h3 id="payments">Latest payments</h3>
        {history.failure ? (
          <Alert tone="warn" title="We could not load your payments">
            <p>The network did not answer. Your payments are safe.</p>
            <LinkButton onClick={history.retry}>Try again</LinkButton>
          </Alert>
        ) : (
          <PaymentList account={account} transactions={history.result} />
        )}
      </section>
    </>
  )
}

function SendForm({
  account,
  available,
  busy,
  onSend,
}: {
  account: string
  available: bigint | undefined
  busy: boolean
  onSend: (payment: Payment) => void
}) {
  const { field, submit } = useForm({
    amount: ({ amount }) => amountError(amount, available),
    recipient: ({ recipient }) =>
      recipientError(recipient, { sender: account, prefix: addressPrefix(account) }),
    memo: ({ memo }) => memoError(memo),
  })
  const balance =
    available === undefined
      ? 'In hash, for example 25 or 0.5'
      : `In hash. You have ${formatCoins([{ denom: 'nhash', amount: `${available}` }])}.`
  return (
    <form
      method="post"
      noValidate
      onSubmit={submit(({ amount, recipient, memo }) =>
        onSend({
          kind: 'send',
          recipient: recipient.trim().toLowerCase(),
          amount: `${nhashOf(amount)}`,
          memo: memo.trim(),
        }),
      )}
    >
      <Stack gap="fields">
        <TextField
          {...field('amount')}
          label="Amount"
          hint={balance}
          inputMode="decimal"
          autoComplete="off"
        />
        <TextField
          {...field('recipient')}
          label="Recipient's address"
          hint={`Begins with ${addressPrefix(account)}1`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          {...field('memo')}
          label="Memo (optional)"
          hint="Everyone can read it on the network."
          autoComplete="off"
        />
        <div className={styles.actions}>
          <Button type="submit" kind="secondary" disabled={busy}>
            Send
          </Button>
        </div>
      </Stack>
    </form>
  )
}

function PaymentList({
  account,
  transactions,
}: {
  account: string
  transactions: readonly Transaction[] | undefined
}) {
  if (transactions === undefined) {
    return <Skeleton shape="text" count={3} label="Loading your payments" />
  }
  if (transactions.length === 0) {
    return <p className={styles.status}>What you send and receive appears here.</p>
  }
  return (
    <ul className={styles.history}>
      {transactions.map((transaction) => (
        <li key={transaction.hash}>
          <Link href={transactionPath(transaction.hash)}>{summaryOf(transaction, account)}</Link>
          <time dateTime={transaction.at}>
            {new Date(transaction.at).toLocaleString(undefined, {
              dateStyle: 'medium',
              timeStyle: 'short',
            })}
          </time>
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
