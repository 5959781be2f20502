import type { ApprovalWords, TransactionMessage } from '@portico/contracts/hosted-wallet'
import { Alert } from '@portico/ui/alert'
import { Fact, Facts } from '../facts.tsx'
import styles from './approval.module.css'
import { timeOf } from './question-words.ts'

/** What would be signed, told from its bytes. */
export function WordsOfMatter({ words }: { words: ApprovalWords }) {
  switch (words.kind) {
    case 'connect':
      return null
    case 'switch-group':
      return (
        words.group && (
          <Facts>
            <Fact label="From now on" name={words.group.name} address={words.group.address} />
          </Facts>
        )
      )
    case 'text':
      return (
        <section aria-label="Message" className={styles.message}>
          {words.text}
        </section>
      )
    case 'bytes':
      return (
        <>
          <Alert tone="warn">
            <p>Nobody can read this. Sign it only if you know what the page needs it for.</p>
          </Alert>
          <Raw summary={`${words.length} bytes`} text={words.hex} />
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
        </Facts>
      )
    case 'transaction':
      return <Transaction words={words} />
  }
}

function Transaction({ words }: { words: Extract<ApprovalWords, { kind: 'transaction' }> }) {
  const { messages, fee, gasLimit, feePayer, feeGranter, memo, timeoutHeight, extensions } = words
  return (
    <>
      {(extensions > 0 || messages.some(({ understood }) => !understood)) && (
        <Alert tone="warn">
          <p>Part of this transaction is not understood. Send it only if you trust the page.</p>
        </Alert>
      )}
      <ol className={styles.messages}>
        {messages.map((message, index) => (
          // The list never changes: a transaction is told once.
          <Message key={index} message={message} />
        ))}
      </ol>
      <Facts>
        <Fact label="Fee">
          {fee.length === 0
            ? 'None'
            : fee.map(({ amount, denom }) => `${amount} ${denom}`).join(', ')}
        </Fact>
        {feePayer && <Fact label="Fee paid by" address={feePayer} />}
        {feeGranter && <Fact label="Fee granted by" address={feeGranter} />}
        <Fact label="Gas limit">{gasLimit}</Fact>
        {memo !== '' && <Fact label="Memo">{memo}</Fact>}
        {timeoutHeight && <Fact label="Not after block">{timeoutHeight}</Fact>}
        <Fact label="Chain">{words.chainId}</Fact>
        {extensions > 0 && <Fact label="Extensions">{extensions}</Fact>}
      </Facts>
    </>
  )
}

function Message({ message }: { message: TransactionMessage }) {
  const { level, title, typeUrl, understood, fields } = message
  return (
    <li data-level={Math.min(level, 3)}>
      <p className={styles.messageTitle}>{title}</p>
      {understood ? (
        <Facts>
          {fields.map(({ label, value }, index) => (
            <Fact key={index} label={label}>
              {value}
            </Fact>
          ))}
        </Facts>
      ) : (
        <Raw summary={typeUrl} text={fields.map(({ value }) => value).join('\n')} />
      )}
    </li>
  )
}

/** Bytes, for those who want to see them. */
function Raw({ summary, text }: { summary: string; text: string }) {
  return (
    <details className={styles.raw}>
      <summary>{summary}</summary>
      <code>{text}</code>
    </details>
  )
}
