import type { ApprovalDescription, TransactionMessage } from '@portico/contracts/hosted-wallet'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { Alert } from '@portico/ui/alert'
import type { ReactNode } from 'react'
import { Fact, Facts } from '../facts.tsx'
import { UntrustedText } from '../untrusted-text.tsx'
import styles from './approval.module.css'
import { timeOf } from './request-text.ts'

/** The decoded content to sign, and the signer. */
export function ApprovalDetailsView({
  words,
  signer,
}: {
  words: ApprovalDescription
  signer?: ReactNode
}) {
  switch (words.kind) {
    case 'connect':
      return null
    case 'switch-group':
      return (
        <Facts>
          {signer}
          {words.group && (
            <Fact label="From now on" name={words.group.name} address={words.group.address} />
          )}
        </Facts>
      )
    case 'text':
      return (
        <>
          <section aria-label="Message" className={styles.message}>
            <UntrustedText>{words.text}</UntrustedText>
          </section>
          {signer && <Facts>{signer}</Facts>}
        </>
      )
    case 'bytes':
      return (
        <>
          <Alert tone="warn">
            <p>This data is not readable. Sign it only if you know what the page needs it for.</p>
          </Alert>
          {signer && <Facts>{signer}</Facts>}
          <Disclosure summary={`What is signed, ${words.length} bytes`}>
            <Data label="Bytes" value={words.hex} />
          </Disclosure>
        </>
      )
    case 'token':
      return (
        <Facts>
          <Fact label="Issued by">{words.issuer}</Fact>
          <Fact label="For" address={words.address} />
          {words.group && <Fact label="Acting for" address={words.group} />}
          <Fact label="Issued">{timeOf(words.issuedAt)}</Fact>
          <Fact label="Expires">{timeOf(words.expiresAt)}</Fact>
          {signer}
        </Facts>
      )
    case 'transaction':
      return <Transaction words={words} signer={signer} />
  }
}

type TransactionDescription = Extract<ApprovalDescription, { kind: 'transaction' }>

function Transaction({ words, signer }: { words: TransactionDescription; signer: ReactNode }) {
  const { amount, total, messages, fee, feePayer, feeGranter, memo, network, extensions } = words
  const [only] = messages.length === 1 ? messages : []
  return (
    <>
      {(extensions > 0 || messages.some(({ understood }) => !understood)) && (
        <Alert tone="warn">
          <p>The wallet cannot read all of this transaction. Send it only if you trust the page.</p>
        </Alert>
      )}
      <p className={styles.amount}>
        <UntrustedText>{total ?? shownFee(fee)}</UntrustedText>{' '}
        <span className={styles.amountLabel}>
          {total === null ? 'Network fee' : 'with the network fee'}
        </span>
      </p>
      {words.usualFee !== null && (
        <Alert tone="warn">
          <p>
            The page has set a network fee of <UntrustedText>{fee}</UntrustedText>. The network’s
            own price is about {words.usualFee}.
          </p>
        </Alert>
      )}
      {words.votesOnly && (
        <Alert tone="warn">
          <p>
            This vote counts, but what the group agreed to cannot be carried out now. Nothing will
            be sent until a member carries it out under Groups.
          </p>
        </Alert>
      )}
      {only === undefined && <MessageList messages={messages} />}
      <Facts>
        {signer}
        {only && <MessageFacts message={only} isAmountShown={amount !== null} />}
        {total !== null && <Fact label="Network fee">{shownFee(fee)}</Fact>}
        {feePayer && <NamedAddress label="Fee paid by" {...feePayer} />}
        {feeGranter && <NamedAddress label="Fee granted by" {...feeGranter} />}
        {memo !== '' && <Fact label="Memo">{memo}</Fact>}
        <Fact label="Network">{network}</Fact>
      </Facts>
      <Disclosure summary="Show everything that is signed">
        <Everything words={words} />
      </Disclosure>
    </>
  )
}

const shownFee = (fee: string) => (fee === 'nothing' ? 'None' : fee)

/** What messages would do, with their raw data behind a disclosure. */
export function MessagesView({ messages }: { messages: readonly TransactionMessage[] }) {
  const data = messages.flatMap(({ fields }) => fields).filter(({ kind }) => kind !== 'text')
  return (
    <>
      <MessageList messages={messages} />
      {data.length > 0 && (
        <Disclosure summary="Show the full addresses and data">
          <RawFields messages={messages} />
        </Disclosure>
      )}
    </>
  )
}

function MessageList({ messages }: { messages: readonly TransactionMessage[] }) {
  return (
    <ol className={styles.messages}>
      {messages.map((message, index) => (
        // The index is a stable key: the list never changes.
        <li key={index} data-level={Math.min(message.level, 3)}>
          <p className={styles.messageTitle}>{message.title}</p>
          <Facts>
            <MessageFacts message={message} />
          </Facts>
        </li>
      ))}
    </ol>
  )
}

/** The fields of a message except raw data, which is in the disclosure. */
function MessageFacts({
  message: { fields },
  isAmountShown = false,
}: {
  message: TransactionMessage
  /** Whether the title of the approval names the amount. */
  isAmountShown?: boolean
}) {
  return fields.map((field, index) => {
    if (field.kind === 'address') return <NamedAddress key={index} {...field} />
    if (field.kind === 'data' || (isAmountShown && field.label === 'Amount')) return null
    return (
      <Fact key={index} label={field.label}>
        {field.value}
      </Fact>
    )
  })
}

/** An address, with its name if the user has one for it. The disclosure contains the full address. */
function NamedAddress({
  label,
  address,
  name,
}: {
  label: string
  address: string
  name: string | null
}) {
  return <Fact label={label} address={address} isShort {...(name === null ? {} : { name })} />
}

function Everything({
  words: { messages, gasLimit, timeoutHeight, extensions, hex, feePayer, feeGranter },
}: {
  words: TransactionDescription
}) {
  return (
    <>
      <RawFields messages={messages} />
      {feePayer && <Data label="Fee paid by" value={feePayer.address} />}
      {feeGranter && <Data label="Fee granted by" value={feeGranter.address} />}
      <Data label="Gas limit" value={gasLimit} />
      {timeoutHeight && <Data label="Not after block" value={timeoutHeight} />}
      {extensions > 0 && <Data label="Extensions" value={`${extensions}`} />}
      <Data label="Bytes" value={hex} />
    </>
  )
}

function RawFields({ messages }: { messages: readonly TransactionMessage[] }) {
  return messages.flatMap(({ fields }, message) =>
    fields.flatMap((field, index) => {
      const key = `${message} ${index}`
      if (field.kind === 'text') return []
      const value = field.kind === 'address' ? field.address : field.value
      return [<Data key={key} label={field.label} value={value} />]
    }),
  )
}

function Disclosure({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className={styles.raw}>
      <summary>{summary}</summary>
      <dl>{children}</dl>
    </details>
  )
}

function Data({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>
        <UntrustedText>{label}</UntrustedText>
      </dt>
      <dd>
        <bdi>
          <code>{escapeInvisible(value)}</code>
        </bdi>
      </dd>
    </div>
  )
}
