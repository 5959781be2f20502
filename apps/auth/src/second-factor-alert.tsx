import { formatPhone, phoneLink } from '@portico/rules/phone'
import { Alert } from '@portico/ui/alert'
import { Link } from '@portico/ui/link'

/** Tells somebody whose account has two-step verification that it cannot be done here. */
export function SecondFactorAlert({ supportPhone }: { supportPhone: string }) {
  return (
    <Alert tone="warn" title="Two-step verification is needed">
      <p>
        This account asks for a second step that this page does not offer. Please contact support at{' '}
        <Link href={phoneLink(supportPhone)}>{formatPhone(supportPhone)}</Link> and we will help you
        log in.
      </p>
    </Alert>
  )
}
