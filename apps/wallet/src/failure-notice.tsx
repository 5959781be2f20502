import { ERROR_CATALOGUE } from '@portico/contracts/errors'
import type { Failure } from '@portico/shell/failure'
import { Alert } from '@portico/ui/alert'
import { LinkButton } from '@portico/ui/link-button'
import styles from './failure-notice.module.css'
import { isSessionGone } from './session-gone.ts'

/** What a person can do, where the failure itself does not say. */
const ADVICE: Readonly<Record<string, string>> = {
  'transaction-refused':
    'Nothing was sent. Check your balance and what the page asks for, then try again.',
  'message-unreadable': 'Reject it, and ask the page for support.',
  'message-is-transaction': 'Reject it.',
  'invalid-request': 'Nothing was changed. Try again, or reject what the page asks for.',
}

/** Refusals whose own text comes from a program, and says little to a person. */
const TECHNICAL = ['transaction-refused', 'invalid-request', 'message-unreadable', 'wordless']

/**
 * Says what went wrong and what to do, in a plain sentence; a technical text stands below it, muted. The login page lets
 * no page frame it, so it opens beside the page and never in the wallet's own frame.
 */
export function FailureNotice({ failure, onLogIn }: { failure: Failure; onLogIn: () => void }) {
  const { reason = '' } = failure
  const { sentences, details } = wordsOf(failure)
  const advice = failure.advice ?? ADVICE[reason]
  return (
    <Alert tone="danger">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {advice && <p>{advice}</p>}
      {details.length > 0 && <p className={styles.details}>Details: {details.join(' ')}</p>}
      {isSessionGone(failure) && (
        <p>
          <LinkButton onClick={onLogIn}>Log in</LinkButton>
        </p>
      )}
    </Alert>
  )
}

/** Where no answer came 'Error fetching' says nothing to a person; the advice does. */
const NO_ANSWER = ['unreachable', 'timed-out']

function wordsOf({ notices, reason = '' }: Failure) {
  if (NO_ANSWER.includes(reason)) return { sentences: [], details: [] }
  if (!TECHNICAL.includes(reason)) return { sentences: notices, details: [] }
  const plain = plainSentence(reason)
  const sentences = plain === undefined ? [] : [plain]
  return { sentences, details: notices.filter((notice) => notice !== plain) }
}

function plainSentence(reason: string): string | undefined {
  return Object.entries(ERROR_CATALOGUE).find(([code]) => code === reason)?.[1].message
}
