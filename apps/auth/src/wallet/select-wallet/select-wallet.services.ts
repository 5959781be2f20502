import { NOTICES } from '@portico/contracts/notices'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { readWalletAccounts, selectAccount } from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { atConnect, createWalletAddress } from '@portico/rules/wallet-redirects'
import { UNEXPECTED } from '@portico/shell/failure'
import type { Environment } from '../../environment.ts'
import { callFailure } from '../call-failure.ts'
import { connectedWallet } from '../connection/connected-wallet.ts'
import type { Connection } from '../connection/connection.ts'
import { storeIdentityToken } from '../connection/identity-token.ts'
import type { Command, Event } from './select-wallet.flow.ts'

export interface SelectWalletDeps
  extends Pick<
    Environment,
    | 'client'
    | 'gatekeeper'
    | 'identityTokenUpdated'
    | 'jwt'
    | 'location'
    | 'navigate'
    | 'reportError'
    | 'storage'
  > {
  readonly connection: Pick<Connection, 'disconnect' | 'state'>
  /** Where the user continues. */
  readonly redirectUrl: string
  /** Called with the connected wallet, instead of continuing to the gatekeeper. */
  readonly onConnected?: ((walletAddress: string) => void) | undefined
}

export function selectWalletServices(deps: SelectWalletDeps): Services<Event, Command> {
  const { client, connection, gatekeeper, location, navigate, redirectUrl, reportError, storage } =
    deps
  return {
    async readWallets(_, signal) {
      try {
        return { type: 'walletsRead', wallets: await client(readWalletAccounts, { signal }) }
      } catch (error) {
        if (signal.aborted) return undefined
        const failure = callFailure(error, NOTICES.accountsNotRetrieved, reportError)
        return { type: 'walletsNotRead', failure }
      }
    },
    async selectAccount({ wallet }, signal) {
      try {
        const body = { walletAddress: wallet.address }
        const { jwt } = await client(selectAccount, { body, signal })
        storeIdentityToken(deps, jwt)
        storage.write(STORAGE_KEYS.ownerWallet, wallet.address)
        return { type: 'selected', wallet, connected: connectedWallet(connection) }
      } catch (error) {
        if (signal.aborted) return undefined
        const failure = callFailure(error, NOTICES.accountNotSelected, reportError)
        return { type: 'refused', failure }
      }
    },
    disconnect: () => void connection.disconnect(),
    createWallet() {
      const { pathname, search } = location()
      navigate(createWalletAddress(`${pathname}${search}`))
    },
    async runGatekeeper() {
      const wallet = connectedWallet(connection)
      if (deps.onConnected !== undefined && wallet !== undefined) {
        deps.onConnected(wallet.address)
        return undefined
      }
      try {
        const to = atConnect(redirectUrl) ?? redirectUrl
        // The user may continue even without a passport.
        const request = { intent: 'kyc', redirectUrl: to, incompleteRedirectUrl: to } as const
        const result = await gatekeeper(request)
        if ('violations' in result) return { type: 'refused', failure: UNEXPECTED }
        navigate(result.path)
        return undefined
      } catch (error) {
        reportError(error)
        return { type: 'refused', failure: UNEXPECTED }
      }
    },
  }
}
