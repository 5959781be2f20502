import { loginAgain, loginByCode } from '@portico/rules/login-again'
import { formatPhone, phoneLink } from '@portico/rules/phone'
import { Alert } from '@portico/ui/alert'
import { Link } from '@portico/ui/link'
import { useSyncExternalStore } from 'react'
import type { Failure } from './failure.ts'

export type FailureAlertProps = {
  failure: Failure | undefined
  supportPhone: string
  /** The address of a user who may have no password yet. After their session ends, they continue with a code. */
  codeFor?: string | undefined
}

/** Error codes after which the user must log in again. */
const SESSION_ENDED_CODES = ['session-ended', 'unauthenticated', 'sign-in-too-old']

/** Without a response the message is technical, such as 'Error fetching', so the advice is shown first. */
const NO_RESPONSE = ['unreachable', 'timed-out', 'no-message']

/** Shows what went wrong and what to do, next to the failed form or action (§8). The page does not repeat it elsewhere. */
export function FailureAlert({ failure, supportPhone, codeFor }: FailureAlertProps) {
  if (failure === undefined) return null
  const { notices, advice, reason, isCanceled } = failure
  const messages = [...new Set(notices)].map((notice) => <p key={notice}>{notice}</p>)
  const isTechnical = advice !== undefined && is(reason, NO_RESPONSE)
  return (
    <Alert tone={isCanceled ? 'info' : 'danger'} detail={isTechnical && messages}>
      {!isTechnical && messages}
      {advice && <p>{advice}</p>}
      {reason === 'account-locked' && (
        <p>
          Call us at <Link href={phoneLink(supportPhone)}>{formatPhone(supportPhone)}</Link>.
        </p>
      )}
      {is(reason, SESSION_ENDED_CODES) && codeFor === undefined && (
        <p>
          <LoginLink />
        </p>
      )}
      {is(reason, SESSION_ENDED_CODES) && codeFor !== undefined && (
        <>
          <p>
            Your email address is still verified. Continue with a new code, then set your password.
          </p>
          <p>
            <CodeLink email={codeFor} />
          </p>
        </>
      )}
    </Alert>
  )
}

/** A login link that returns to the current page if that page requires a session. */
function LoginLink() {
  const href = useSyncExternalStore(
    never,
    () => loginAgain(window.location),
    () => loginAgain({ pathname: '', search: '', hash: '' }),
  )
  return <Link href={href}>Go to the login page</Link>
}

/** Links to the login page, which sends a code to the address. */
function CodeLink({ email }: { email: string }) {
  const href = useSyncExternalStore(
    never,
    () => loginByCode(window.location, email),
    () => loginByCode({ search: '' }, email),
  )
  return <Link href={href}>Send me a code</Link>
}

const never = () => () => undefined

function is(reason: string | undefined, reasons: readonly string[]): boolean {
  return reason !== undefined && reasons.includes(reason)
}
