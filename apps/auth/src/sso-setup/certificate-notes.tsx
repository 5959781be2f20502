import { CERTIFICATE_WARNING_MS } from '@portico/contracts/limits'
import type { Setup } from '@portico/contracts/sso-setup'
import { Alert } from '@portico/ui/alert'

type Certificates = NonNullable<Setup['saml']>['certificates']

const DATE: Intl.DateTimeFormatOptions = { dateStyle: 'long' }

/** When the signing certificates expire. During a change there are two, of which the later one counts. */
export function CertificateNotes({
  certificates,
  now,
}: {
  certificates: Certificates
  now: number
}) {
  const last = Math.max(...certificates.map(({ expiresAt }) => expiresAt))
  const date = new Intl.DateTimeFormat('en-US', DATE).format(last)
  if (last <= now) {
    return (
      <Alert tone="danger" title={`The certificate expired on ${date}`}>
        No one can log in with it. Create a new one at the provider and save it here.
      </Alert>
    )
  }
  return last - now < CERTIFICATE_WARNING_MS ? (
    <Alert tone="warn" title={`The certificate expires on ${date}`}>
      Create a new one at the provider before that, and save both here while you change.
    </Alert>
  ) : (
    <p>The certificate is valid until {date}.</p>
  )
}
