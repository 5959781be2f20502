import { logout } from '@portico/contracts/identity'
import type { Services } from '@portico/flow'
import { withFragment } from '@portico/rules/redirect-target'
import { failureOf } from '@portico/shell/failure-of'
import type { Environment } from '../environment.ts'
import type { Command, Event } from './login-entry.flow.ts'

export type LoginEntryDeps = Pick<
  Environment,
  'client' | 'jwt' | 'location' | 'navigate' | 'wallet'
>

export function loginEntryServices(deps: LoginEntryDeps): Services<Event, Command> {
  const { client, jwt, location, navigate, wallet } = deps
  return {
    async logOut(_, signal) {
      jwt.remove()
      try {
        await client(logout, { signal })
      } catch (error) {
        failureOf(error)
      }
      return { type: 'loggedOut' }
    },
    openWallet: ({ to }) => wallet.open(withFragment(to, location())),
    goOn: ({ to }) => navigate(withFragment(to, location())),
  }
}
