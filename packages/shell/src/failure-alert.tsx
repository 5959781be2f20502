import { loginAgain } from '@portico/rules/login-again'
import { formatPhone, phoneLink } from '@portico/rules/phone'
import { Alert } from '@portico/ui/alert'
import { Link } from '@portico/ui/link'
import { useSyncExternalStore } from 'react'
import type { Failure } from './failure.ts'

/** What a failure's alert is about. */
export type FailureAlertProps = { failure: Failure | undefined; supportPhone: string }

/** Refusals after which the person has to begin anew. */
const SESSION_GONE = ['session-ended', 'unauthenticated', 'sign-in-too-old']

/** Where no answer came 'Error fetching' is for the notification; here stands what to do. */
const NO_ANSWER = ['unreachable', 'timed-out', 'wordless']

/** Says above a form what went wrong and what to do; the same words as the notifications, but they stay. */
export function FailureAlert({ failure, supportPhone }: FailureAlertProps) {
  if (failure === undefined) return null
  const { notices, advice, reason, calm } = failure
  return (
    <Alert tone={calm ? 'info' : 'danger'}>
      {!is(reason, NO_ANSWER) && notices.map((notice) => <p key={notice}>{notice}</p>)}
      {advice && <p>{advice}</p>}
      {reason === 'account-locked' && (
        <p>
          Call us at <Link href={phoneLink(supportPhone)}>{formatPhone(supportPhone)}</Link>.
        </p>
      )}
      {is(reason, SESSION_GONE) && (
        <p>
          <LoginLink />
        </p>
      )}
    </Alert>
  )
}

/** Comes back to where the person was, if only somebody who is signed in can be there. */
function LoginLink() {
  const href = useSyncExternalStore(
    never,
    () => loginAgain(window.location),
    () => loginAgain({ pathname: '', search: '' }),
  )
  return <Link href={href}>Go to the login page</Link>
}

const never = () => () => undefined

function is(reason: string | undefined, reasons: readonly string[]): boolean {
  return reason !== undefined && reasons.includes(reason)
}
