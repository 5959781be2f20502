import { loginAgain, loginByCode } from '@portico/rules/login-again'
import { formatPhone, phoneLink } from '@portico/rules/phone'
import { Alert } from '@portico/ui/alert'
import { Link } from '@portico/ui/link'
import { useSyncExternalStore } from 'react'
import type { Failure } from './failure.ts'

/** What a failure's alert is about. */
export type FailureAlertProps = {
  failure: Failure | undefined
  supportPhone: string
  /** The address of a user who may have no password yet: where the session is gone, they continue with a code. */
  codeFor?: string | undefined
}

/** Refusals after which the person has to begin anew. */
const SESSION_GONE = ['session-ended', 'unauthenticated', 'sign-in-too-old']

/** Without an answer the message is a technical one, such as 'Error fetching': what to do comes first. */
const NO_ANSWER = ['unreachable', 'timed-out', 'wordless']

/** Says beside what failed what went wrong and what to do (§8). The same is not said anywhere else. */
export function FailureAlert({ failure, supportPhone, codeFor }: FailureAlertProps) {
  if (failure === undefined) return null
  const { notices, advice, reason, calm } = failure
  const messages = [...new Set(notices)].map((notice) => <p key={notice}>{notice}</p>)
  const isTechnical = advice !== undefined && is(reason, NO_ANSWER)
  return (
    <Alert tone={calm ? 'info' : 'danger'} detail={isTechnical && messages}>
      {!isTechnical && messages}
      {advice && <p>{advice}</p>}
      {reason === 'account-locked' && (
        <p>
          Call us at <Link href={phoneLink(supportPhone)}>{formatPhone(supportPhone)}</Link>.
        </p>
      )}
      {is(reason, SESSION_GONE) && codeFor === undefined && (
        <p>
          <LoginLink />
        </p>
      )}
      {is(reason, SESSION_GONE) && codeFor !== undefined && (
        <>
          <p>
            Your email address stays confirmed. Continue with a new code, then set your password.
          </p>
          <p>
            <CodeLink email={codeFor} />
          </p>
        </>
      )}
    </Alert>
  )
}

/** Comes back to where the person was, if only somebody who is signed in can be there. */
function LoginLink() {
  const href = useSyncExternalStore(
    never,
    () => loginAgain(window.location),
    () => loginAgain({ pathname: '', search: '', hash: '' }),
  )
  return <Link href={href}>Go to the login page</Link>
}

/** Sends a code to the login page's address and goes on from there. */
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
