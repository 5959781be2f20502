import { joinPassport } from '@portico/contracts/passport'
import { PASSPORT_BASE, passportPath } from '@portico/rules/gatekeeper'
import { Confirmation } from '@portico/shell/confirmation'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall } from '@portico/shell/use-call'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { EmailText } from '@portico/ui/email-text'
import { Stack } from '@portico/ui/stack'
import { useEnvironment } from '../environment.ts'

export type JoinProps = { passportUuid: string; email: string; supportPhone: string }

/** Accepts an invitation. Needs a button, because opening a link in a mail must not change anything by itself. */
export function Join({ passportUuid, email, supportPhone }: JoinProps) {
  const { client, passkeys, replace, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const accept = () =>
    run(
      (signal) => client(joinPassport, { body: { passportUuid }, signal }),
      () => replace(passportPath({ page: 'resume', passportUuid })),
    )
  if (failure?.reason === 'email-not-verified') {
    // Only this method verifies the address.
    const methods = ['passcode'] as const
    return (
      <Stack>
        <h1 tabIndex={-1}>Confirm your email address</h1>
        <p>The invitation is for the owner of this address.</p>
        <Confirmation
          user={{ email, methods, supportPhone }}
          client={client}
          passkeys={passkeys}
          purpose="change"
          onConfirmed={accept}
          reportError={reportError}
        />
      </Stack>
    )
  }
  const isUnknown = failure?.reason === 'not-found'
  return (
    <Stack>
      <h1 tabIndex={-1}>You are invited to an investor passport</h1>
      {isUnknown ? (
        <p>
          There is no open invitation for <EmailText>{email}</EmailText>. It may have expired, or it
          was sent to another address. Ask the person who invited you to send it again.
        </p>
      ) : (
        <>
          <p>
            As a member you see the answers of the organization and help to fill them in. The owners
            see your name and your address <EmailText>{email}</EmailText>.
          </p>
          <FailureAlert failure={failure} supportPhone={supportPhone} />
        </>
      )}
      <Stack gap="inside">
        {!isUnknown && (
          <Button wide busy={pending} busyLabel="One moment…" onClick={accept}>
            Accept the invitation
          </Button>
        )}
        <AnchorButton kind="secondary" wide href={PASSPORT_BASE}>
          Go to your passport
        </AnchorButton>
      </Stack>
    </Stack>
  )
}
