import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import { parseFlowRequest } from '@portico/rules/parse-flow-request'
import { loginPathBefore } from '@portico/rules/wallet-redirects'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useLoad } from '@portico/shell/use-call'
import { Waiting } from '@portico/shell/waiting'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { useEffect } from 'react'
import { useEnvironment } from '../environment.ts'

export type GatekeeperProps = { supportPhone: string }

type Outcome = { readonly path: string } | 'violation'

/**
 * The page of a flow request (§4.10), which continues to the passport unless the request violates a rule. Like the wallet
 * screens, it requires the stored token; a user without one logs in first and returns.
 */
export function Gatekeeper({ supportPhone }: GatekeeperProps) {
  const { gatekeeper, jwt, location, logViolations, navigate, reportError } = useEnvironment()
  const { result, failure, retry } = useLoad(async (signal): Promise<Outcome> => {
    const { pathname, search } = location()
    const parsed = parseFlowRequest(search.slice(1))
    if ('violations' in parsed) {
      logViolations(parsed.violations)
      return 'violation'
    }
    const login = { path: loginPathBefore(`${pathname}${search}`) }
    if (jwt.read() === undefined) return login
    const decision = await gatekeeper(parsed.request, signal).catch((error: unknown) => {
      // The session has ended, so the client has removed its token.
      if (jwt.read() === undefined) return login
      throw error
    })
    return 'path' in decision ? decision : 'violation'
  }, reportError)
  useEffect(() => {
    if (typeof result === 'object') navigate(result.path)
  }, [result, navigate])

  if (failure !== undefined) {
    return (
      <Stack>
        <h1 tabIndex={-1}>We could not open your passport</h1>
        <FailureAlert failure={failure} supportPhone={supportPhone} />
        <Button wide onClick={retry}>
          Try again
        </Button>
      </Stack>
    )
  }
  return result === 'violation' ? <InvalidRequest /> : <Waiting />
}

/** The violated rules only help the site that made the link, so they are logged and not shown. */
function InvalidRequest() {
  return (
    <Stack>
      <h1 tabIndex={-1}>This link does not work</h1>
      <p>
        Something is wrong with the link that brought you here. Go back to the page with the link
        and try again, or continue from your dashboard.
      </p>
      <AnchorButton wide href={DEFAULT_REDIRECT}>
        Go to your dashboard
      </AnchorButton>
    </Stack>
  )
}
