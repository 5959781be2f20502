import type { ChainNode } from '@portico/chain-client/chain'
import { readBalance } from '@portico/chain-client/transfers'
import { addressPrefix } from '@portico/rules/bech32'
import { amountError, memoError, nhashOf, recipientError } from '@portico/rules/transfer'
import { useForm } from '@portico/shell/form'
import { useLoad } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { formatCoins } from '@portico/wallet-connect/format-coins'
import { PaymentHistory } from '../payment-history/payment-history.tsx'
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
  return (
    <>
      <section className={styles.payments} aria-labelledby="send">
        <h2 id="send">Send</h2>
        <SendForm account={account} available={balance.result} busy={busy} onSend={onSend} />
      </section>
      <section className={styles.payments} aria-labelledby="payments">
        <h2 id="payments">Latest payments</h2>
        <PaymentHistory account={account} chainNode={chainNode} reportError={reportError} />
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
