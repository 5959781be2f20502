import { logout } from '@portico/contracts/identity'
import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { userTypeOf } from '@portico/rules/provider-admission'
import { useLoad } from '@portico/shell/use-call'
import { Waiting } from '@portico/shell/waiting'
import { Stack } from '@portico/ui/stack'
import { useEnvironment } from '../environment.ts'

const LOGIN_PATH = `${ROUTER_BASE}/login`
/** Logs out (§4.4), then navigates to the login page, even after a failure. */
export function Logout() {
  const { client, deviceStorage, jwt, navigate, reportError, wallet } = useEnvironment()

  useLoad(async (signal) => {
    const authorization = jwt.read()
    jwt.remove()
    // The next user of this browser has not made it.
    deviceStorage.remove(STORAGE_KEYS.flowRequest)
    // A wallet that fails to disconnect must not keep the user signed in.
    await wallet.disconnect().catch(reportError)
    let to: string | undefined
    try {
      to = await logOutAtProvider(authorization, signal)
      if (to === undefined) await client(logout, { signal })
    } finally {
      if (!signal.aborted) navigate(to ?? LOGIN_PATH)
    }
  }, reportError)
  return (
    <Stack>
      <h1 tabIndex={-1}>Logging you out</h1>
      <Waiting />
    </Stack>
  )
}
