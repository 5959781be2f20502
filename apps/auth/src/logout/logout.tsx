import { logout } from '@portico/contracts/identity'
import { ROUTER_BASE } from '@portico/contracts/limits'
import { useLoad } from '@portico/shell/use-call'
import { Waiting } from '@portico/shell/waiting'
import { Stack } from '@portico/ui/stack'
import { useEnvironment } from '../environment.ts'

/** Logs out (§4.4), then navigates to the login page, even after a failure. */
export function Logout() {
  const { client, jwt, navigate, reportError, wallet } = useEnvironment()
  useLoad(async (signal) => {
    jwt.remove()
    // A wallet that fails to disconnect must not keep the user signed in.
    await wallet.disconnect().catch(reportError)
    try {
      await client(logout, { signal })
    } finally {
      if (!signal.aborted) navigate(`${ROUTER_BASE}/login`)
    }
  }, reportError)
  return (
    <Stack>
      <h1 tabIndex={-1}>Logging you out</h1>
      <Waiting />
    </Stack>
  )
}
