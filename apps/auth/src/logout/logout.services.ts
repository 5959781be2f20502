import { logout } from '@portico/contracts/identity'
import { ROUTER_BASE } from '@portico/contracts/limits'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Environment } from '../environment.ts'
import type { Command, Event } from './logout.flow.ts'

export type LogoutDeps = Pick<Environment, 'client' | 'jwt' | 'navigate' | 'reportError' | 'wallet'>

export function logoutServices(deps: LogoutDeps): Services<Event, Command> {
  const { client, jwt, navigate, reportError, wallet } = deps
  return {
    async logOut(_, signal) {
      jwt.remove()
      // A wallet that fails to disconnect must not keep the user signed in.
      await wallet.disconnect().catch(reportError)
      try {
        await client(logout, { signal })
        return { type: 'loggedOut', to: `${ROUTER_BASE}/login` }
      } catch (error) {
        failureOf(error)
        return { type: 'refused' }
      }
    },
    leave: ({ to }) => navigate(to),
  }
}
