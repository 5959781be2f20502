import type { Failure } from '@portico/shell/failure'
import { Alert } from '@portico/ui/alert'
import { LinkButton } from '@portico/ui/link-button'
import { isSessionGone } from './session-gone.ts'

/** Where no answer came 'Error fetching' says nothing to a person; the advice does. */
const NO_ANSWER = ['unreachable', 'timed-out']

/**
 * Says what went wrong and what to do. The login page lets nobody frame it, so it opens beside the page and never in
 * the wallet's own frame.
 */
export function FailureNotice({ failure, onLogIn }: { failure: Failure; onLogIn: () => void }) {
  const { notices, advice, reason = '' } = failure
  return (
    <Alert tone="danger">
      {!NO_ANSWER.includes(reason) && notices.map((notice) => <p key={notice}>{notice}</p>)}
      {advice && <p>{advice}</p>}
      {isSessionGone(failure) && (
        <p>
          <LinkButton onClick={onLogIn}>Log in</LinkButton>
        </p>
      )}
    </Alert>
  )
}
