import type { ChainNode } from '@portico/chain-client/chain'
import { readBalance } from '@portico/chain-client/transfers'
import { addressPrefix } from '@portico/rules/bech32'
import {
  amountError,
  maximumAmount,
  memoError,
  nhashOf,
  recipientError,
} from '@portico/rules/transfer'
import { useForm } from '@portico/shell/form'
import { useLoad } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { formatCoins } from '@portico/wallet-connect/format-coins'
import { useRef, useState } from 'react'
import { PaymentHistory } from '../payment-history/payment-history.tsx'
import type { Operation } from './wallet-card.flow.ts'
import styles from './wallet-card.module.css'

interface Signer {
  readonly address: string
  /** In base64. */
  readonly publicKey: string
}

type Payment = Extract<Operation, { kind: 'send' }>

/** The balance of the connected account, a form to send from it, and its latest payments. */
export function Payments({
  account,
  signer,
  chainNode,
  reportError,
  busy,
  onSend,
}: {
  /** The account that pays: the individual's or the group's. */
  account: string
  /** The connected individual, who pays the fee. */
  signer: Signer
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
        <SendForm
          account={account}
          available={balance.result}
          // A group pays what it sends, and its member the fee.
          estimateFee={
            account === signer.address ? () => estimateFee(chainNode, signer) : undefined
          }
          busy={busy}
          onSend={onSend}
        />
      </section>
      <section className={styles.payments} aria-labelledby="payments">
        <h2 id="payments">Latest payments</h2>
        <PaymentHistory account={account} chainNode={chainNode} reportError={reportError} />
      </section>
    </>
  )
}

/** What a payment costs if the network does not say it: 200,000 gas at the usual price. */
const USUAL_FEE = 381_000_000n

async function estimateFee(chainNode: ChainNode, signer: Signer): Promise<bigint> {
  try {
    const [{ openChain }, { estimatePaymentFee }] = await Promise.all([
      import('@portico/chain-client/chain'),
      import('@portico/chain-client/transaction'),
    ])
    return await estimatePaymentFee(openChain(chainNode), { ...signer, denom: 'nhash' })
  } catch {
    // The balance may be too small for any fee, or the network does not answer. The wallet checks the payment again.
    return USUAL_FEE
  }
}

function SendForm({
  account,
  available,
  estimateFee,
  busy,
  onSend,
}: {
  account: string
  available: bigint | undefined
  /** Undefined if another account pays the fee. */
  estimateFee: (() => Promise<bigint>) | undefined
  busy: boolean
  onSend: (payment: Payment) => void
}) {
  const amountField = useRef<HTMLInputElement>(null)
  const [fee, setFee] = useState(estimateFee === undefined ? 0n : 1n)
  const { field, submit } = useForm({
    amount: ({ amount }) => amountError(amount, available, fee),
    recipient: ({ recipient }) =>
      recipientError(recipient, { sender: account, prefix: addressPrefix(account) }),
    memo: ({ memo }) => memoError(memo),
  })
  async function fillMaximum(balance: bigint) {
    const estimated = (await estimateFee?.()) ?? 0n
    setFee(estimated)
    const { current } = amountField
    if (current === null) return
    current.value = plainAmount(maximumAmount(balance, estimated))
    current.dispatchEvent(new Event('input', { bubbles: true }))
    current.focus()
  }

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
          ref={amountField}
          {...field('amount')}
          label="Amount"
          hint={balance}
          inputMode="decimal"
          autoComplete="off"
        />
        {available !== undefined && (
          <div>
            <LinkButton
              aria-label="Max: send everything except the network fee"
              onClick={() => void fillMaximum(available)}
            >
              Max
            </LinkButton>
          </div>
        )}
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

/** An amount of nhash in hash, as a user types it. */
const plainAmount = (nhash: bigint) =>
  nhash === 0n ? '0' : formatCoins([{ denom: 'nhash', amount: `${nhash}` }]).replace(' hash', '')
