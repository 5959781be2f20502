import { readSecurity } from '@portico/contracts/account-security'
import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { confirmationMethods } from '@portico/rules/confirmation-methods'
import { redirectTarget } from '@portico/rules/redirect-target'
import { loginPathBefore } from '@portico/rules/wallet-redirects'
import { Confirmation } from '@portico/shell/confirmation'
import { FailureWithRetry } from '@portico/shell/failure-with-retry'
import { useLoad } from '@portico/shell/use-call'
import { Waiting } from '@portico/shell/waiting'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Stack } from '@portico/ui/stack'
import { useEffect } from 'react'
import { useEnvironment } from '../environment.ts'

/** Asks a signed-in user for the second factor that an application requires. */
export function ConfirmLogin({ page, query }: { page: PageData; query: URLSearchParams }) {
  const { client, jwt, location, navigate, passkeys, reportError } = useEnvironment()
  const { session, supportPhone } = page
  const { result, failure, retry } = useLoad(async (signal) => {
    if (jwt.read() !== undefined) return client(readSecurity, { signal })
    const { pathname, search } = location()
    return { loginPath: loginPathBefore(`${pathname}${search}`) }
  }, reportError)
  useEffect(() => {
    if (result !== undefined && 'loginPath' in result) navigate(result.loginPath)
  }, [result, navigate])

  if (failure !== undefined) {
    return <FailureWithRetry failure={failure} supportPhone={supportPhone} onRetry={retry} />
  }
  if (result === undefined || 'loginPath' in result || session === null) return <Waiting />
  // Repeating the factor used to log in would not be a second factor.
  const methods = confirmationMethods(result, { passkeys: passkeys.supported() }).filter(
    (method) => method !== session.method,
  )
  return (
    <Stack>
      <h1 tabIndex={-1}>Confirm it's you</h1>
      {methods.length === 0 ? (
        <NoMethod />
      ) : (
        <Confirmation
          user={{ email: session.email, methods, supportPhone }}
          client={client}
          passkeys={passkeys}
          purpose="login"
          onConfirmed={() => navigate(redirectTarget(query.get('redirectUrl')))}
          reportError={reportError}
        />
      )}
    </Stack>
  )
}

function NoMethod() {
  return (
    <>
      <p>
        The application requires a second factor, and your account had none when you logged in. Add
        a password, a passkey or an authenticator app. Then log out and return to the application.
      </p>
      <AnchorButton wide href={`${DEFAULT_REDIRECT}/security`}>
        Go to your security settings
      </AnchorButton>
    </>
  )
}
