import { useFlow } from '@portico/flow/react'
import { Waiting } from '@portico/shell/waiting'
import { Stack } from '@portico/ui/stack'
import { useEnvironment } from '../environment.ts'
import { logout } from './logout.flow.ts'
import { logoutServices } from './logout.services.ts'

export function Logout() {
  const environment = useEnvironment()
  useFlow(logout, {
    input: null,
    services: logoutServices(environment),
    report: environment.reportError,
  })
  return (
    <Stack>
      <h1 tabIndex={-1}>Logging you out</h1>
      <Waiting />
    </Stack>
  )
}
