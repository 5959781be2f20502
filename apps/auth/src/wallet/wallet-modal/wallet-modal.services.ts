import { ApiError } from '@portico/client/api-error'
import { NOTICES } from '@portico/contracts/notices'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { readAccounts, readWalletJwt } from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { chosenCredentials } from '@portico/rules/chosen-credentials'
import { selectedCredentials } from '@portico/rules/token-claims'
import {
  convertAddress,
  createWalletAddress,
  selectAccountAddress,
} from '@portico/rules/wallet-redirects'
import type { Environment } from '../../environment.ts'
import { callFailure, isForbidden } from '../call-failure.ts'
import { connectedWallet } from '../connection/connected-wallet.ts'
import type { Connection } from '../connection/connection.ts'
import { storeIdentityToken } from '../connection/identity-token.ts'
import type { Command, Event, Page, Result } from './wallet-modal.flow.ts'

export interface WalletModalDeps
  extends Pick<
    Environment,
    'client' | 'identityTokenUpdated' | 'jwt' | 'location' | 'navigate' | 'reportError' | 'storage'
  > {
  readonly connection: Pick<Connection, 'disconnect' | 'state'>
  readonly onResult: (result: Result) => void
}

const ADDRESSES: Readonly<Record<Page, (here: string) => string>> = {
  'create-wallet': createWalletAddress,
  'select-account': selectAccountAddress,
}

export function walletModalServices(deps: WalletModalDeps): Services<Event, Command> {
  const { client, connection, jwt, location, navigate, onResult, reportError, storage } = deps
  return {
    async readAccounts(_, signal) {
      try {
        const items = await client(readAccounts, { signal })
        const selected = selectedCredentials(jwt.read())
        return { type: 'accountsRead', items, wallet: connectedWallet(connection), selected }
      } catch (error) {
        if (signal.aborted) return undefined
        const failure = callFailure(error, NOTICES.accountsNotRetrieved, reportError)
        return { type: 'accountsNotRead', failure }
      }
    },
    async selectAccount({ choice }, signal) {
      try {
        const query = chosenCredentials(choice)
        const answer = await client(readWalletJwt, { query, signal })
        storeIdentityToken(deps, answer.jwt)
        storage.write(STORAGE_KEYS.ownerWallet, choice.account.address)
        return { type: 'selected', choice, wallet: connectedWallet(connection) }
      } catch (error) {
        if (signal.aborted) return undefined
        if (error instanceof ApiError && isForbidden(error)) {
          return { type: 'forbidden', choice, wallet: connectedWallet(connection) }
        }
        const failure = callFailure(error, NOTICES.walletNotSelected, reportError)
        return { type: 'refused', failure }
      }
    },
    disconnect: () => void connection.disconnect(),
    goTo({ page }) {
      const { pathname, search } = location()
      navigate(ADDRESSES[page](`${pathname}${search}`))
    },
    convert: ({ walletAddress }) => navigate(convertAddress(location(), walletAddress)),
    returnResult: ({ result }) => onResult(result),
  }
}
