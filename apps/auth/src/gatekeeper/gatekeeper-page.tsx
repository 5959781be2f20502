import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import { parseFlowRequest } from '@portico/rules/parse-flow-request'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useLoad } from '@portico/shell/use-call'
import { Waiting } from '@portico/shell/waiting'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { useEffect } from 'react'
import { useEnvironment } from '../environment.ts'
import type { GatekeeperResult } from './gatekeeper.ts'

export type GatekeeperPageProps = { query: URLSearchParams; supportPhone: string }

/** The page of a flow request (§4.10): continues to the passport unless the request violates a rule. */
export function GatekeeperPage({ query, supportPhone }: GatekeeperPageProps) {
  const { gatekeeper, logViolations, navigate, reportError } = useEnvironment()
  const { result, failure, retry } = useLoad(async (signal): Promise<GatekeeperResult> => {
    const parsed = parseFlowRequest(query.toString())
    if ('request' in parsed) return gatekeeper(parsed.request, signal)
    logViolations(parsed.violations)
    return parsed
  }, reportError)
  const path = result && 'path' in result ? result.path : undefined
  useEffect(() => {
    if (path !== undefined) navigate(path)
  }, [path, navigate])

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
  return result !== undefined && 'violations' in result ? <InvalidRequest /> : <Waiting />
}

/** What is wrong with the link helps only the site that made it, so it is logged and not shown. */
export function InvalidRequest() {
  return (
    <Stack>
      <h1 tabIndex={-1}>This link does not work</h1>
      <p>
        Something is wrong with the link that brought you here. Go back to the page with the link and
        try again, or continue from your dashboard.
      </p>
      <AnchorButton wide href={DEFAULT_REDIRECT}>
        Go to your dashboard
      </AnchorButton>
    </Stack>
  )
}
