import { logout } from '@portico/contracts/identity'
import { DEFAULT_REDIRECT, ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { userTypeOf } from '@portico/rules/provider-admission'
import { useLoad } from '@portico/shell/use-call'
import { Waiting } from '@portico/shell/waiting'
import { Button } from '@portico/ui/button'
import { Link } from '@portico/ui/link'
import { Stack } from '@portico/ui/stack'
import { useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { removeUserState } from '../remove-user-state.ts'

const LOGIN_PATH = `${ROUTER_BASE}/login`

/**
 * Logs out (§4.4), after a question if another site led here, then navigates to the login page, even after a failure. A session that began at an identity provider
 * ends there too: the broker's logout returns the provider's logout page.
 */
export function Logout({ page }: { page: PageData }) {
  const [isAgreed, setAgreed] = useState(page.session === null || !page.isFromOtherSite)
  return isAgreed ? <LoggingOut page={page} /> : <Question onAgreed={() => setAgreed(true)} />
}

/** Another site's link or redirect must not end a session. */
function Question({ onAgreed }: { onAgreed: () => void }) {
  return (
    <Stack>
      <h1 tabIndex={-1}>Do you want to log out?</h1>
      <p>Another site sent you here. You are still logged in.</p>
      <Button wide onClick={onAgreed}>
        Log out
      </Button>
      <p>
        <Link href={DEFAULT_REDIRECT}>Stay logged in</Link>
      </p>
    </Stack>
  )
}

function LoggingOut({ page: { session } }: { page: PageData }) {
  const environment = useEnvironment()
  const { client, jwt, loadModule, navigate, reportError } = environment
  const logOutAtProvider = async (
    authorization: string | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    if (session?.method !== 'provider' || authorization === undefined) return undefined
    try {
      const { logOutAtProvider } = await loadModule(
        () => import('../provider-login/provider-login.tsx'),
      )
      const userType = userTypeOf(session.profileType)
      return await logOutAtProvider(client, { userType, authorization }, signal)
    } catch {
      // Our own logout below ends the session.
      return undefined
    }
  }
  useLoad(async (signal) => {
    const authorization = jwt.read()
    await removeUserState(environment)
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
