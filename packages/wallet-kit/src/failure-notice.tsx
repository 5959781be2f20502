import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import type { Failure } from '@portico/shell/failure'
import { Alert } from '@portico/ui/alert'
import { LinkButton } from '@portico/ui/link-button'
import styles from './failure-notice.module.css'
import { isSessionGone } from './session-gone.ts'

/** Advice for failures without advice of their own. */
const ADVICE: Readonly<Record<string, string>> = {
  'transaction-refused': 'Nothing was sent. Check your balance and the request, then try again.',
  'message-unreadable': 'Reject it, and contact the page’s support.',
  'message-is-transaction': 'Reject it.',
  'message-for-other-site': 'Reject it, and close the page that asks.',
  'insufficient-funds': 'Nothing was sent. Add funds to the account, then try again.',
  'group-funds-insufficient': 'Nothing was sent. Add funds to the group, then try again.',
  'fee-too-low': 'Nothing was sent. Reject it, and ask the page to set a higher gas price.',
  'voting-ended': 'Nothing was sent. Reject it.',
  'already-voted': 'Nothing was sent. Reject it: a vote cannot be changed.',
  'proposal-over': 'Nothing was sent. Reject it.',
  'not-a-member': 'Nothing was sent. Reject it.',
  'message-not-supported': 'Nothing was sent. Reject it, and contact the page’s support.',
  'sequence-mismatch': 'Nothing was sent. Try again.',
  'chain-timeout': 'Try again in a minute.',
  'chain-faulty': 'Try again in a minute.',
  'transaction-unconfirmed': 'Check Activity in a minute.',
  'vault-damaged': 'Remove the wallet from this device and restore it from its recovery words.',
  'vault-from-newer-version': 'Update the wallet, then open it again.',
  'passkey-unsupported': 'Unlock it with your passphrase instead.',
  'storage-unavailable':
    'Leave private browsing, disconnect sites you no longer use, or free up storage on the device.',
  'invalid-request': 'Nothing was changed. Try again, or reject the request.',
}

/** Refusals with a technical message. */
const TECHNICAL = ['invalid-request', 'message-unreadable', 'no-message']

/**
 * Explains a failure in plain language, with technical details muted below. The login page does not
 * allow framing, so it opens in a separate window, never in the wallet's frame.
 */
export function FailureNotice({
  failure,
  onLogIn,
}: {
  failure: Failure
  /** Undefined if the wallet needs no login. */
  onLogIn?: (() => void) | undefined
}) {
  const { reason = '' } = failure
  const { sentences, details } = textOf(failure)
  const advice = failure.advice ?? ADVICE[reason]
  return (
    <Alert tone="danger">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {advice && <p>{advice}</p>}
      {details.length > 0 && <p className={styles.details}>Details: {details.join(' ')}</p>}
      {onLogIn && isSessionGone(failure) && (
        <p>
          <LinkButton onClick={onLogIn}>Log in</LinkButton>
        </p>
      )}
    </Alert>
  )
}

/** For these failures the advice is more useful than the message 'Error fetching'. */
const NO_RESPONSE = ['unreachable', 'timed-out']

function textOf({ notices, reason = '' }: Failure) {
  if (NO_RESPONSE.includes(reason)) return { sentences: [], details: [] }
  const plain = plainSentence(reason)
  const sentences = plain === undefined ? [] : [plain]
  // A node may send anything as its reason.
  if (reason === 'transaction-refused') return { sentences, details: [] }
  if (!TECHNICAL.includes(reason)) return { sentences: notices, details: [] }
  return { sentences, details: notices.filter((notice) => notice !== plain) }
}

function plainSentence(reason: string): string | undefined {
  return Object.entries(ERROR_CATALOG).find(([code]) => code === reason)?.[1].message
}
