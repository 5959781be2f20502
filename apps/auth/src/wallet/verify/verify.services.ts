import { BEARER_PREFIX, STORAGE_KEYS } from '@portico/contracts/storage-keys'
import {
  attachWallet,
  readWalletNonce,
  STORED_JWT_HEADER,
  WalletName,
} from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { tokenClaims } from '@portico/rules/token-claims'
import type { Failure } from '@portico/shell/failure'
import { failureOf } from '@portico/shell/failure-of'
import type { Environment } from '../../environment.ts'
import type { Connection } from '../connection/connection.ts'
import { keepIdentityToken } from '../connection/identity-token.ts'
import type { Command, Event, Result } from './verify.flow.ts'

/** What the verification leans on. */
export interface VerifyDeps
  extends Pick<Environment, 'client' | 'identityTokenUpdated' | 'jwt' | 'storage'> {
  readonly connection: Connection
  readonly onResult: (result: Result) => void
}

/** Carries out what the verification has done; each service reports back with an event. */
export function verifyServices(deps: VerifyDeps): Services<Event, Command> {
  const { client, jwt: stored, connection, onResult, storage } = deps
  const walletToken = () => `${BEARER_PREFIX}${connection.state.signedJWT}`
  return {
    async signNonce(_, signal) {
      try {
        const headers = { authorization: walletToken() }
        const { hexEncodedNonce } = await client(readWalletNonce, { headers, signal })
        const { valid, result, error } = await connection.signHexMessage(hexEncodedNonce)
        if (!valid || result === undefined) return { type: 'refused', failure: unsigned(error) }
        return { type: 'signed', signedNonceHex: result.signature }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    async attach({ signedNonceHex }, signal) {
      const { name = '' } = connection.state.walletInfo
      const headers = { authorization: walletToken(), [STORED_JWT_HEADER]: stored.read() ?? '' }
      // Only when there is one (§5); one that no list could show must not keep the wallet from being attached.
      const { data: walletName } = WalletName.safeParse(name.trim())
      const named = walletName === undefined ? {} : { walletName }
      const query = { signedNonceHex, defaultWallet: 'true', ...named } as const
      try {
        const { jwt } = await client(attachWallet, { query, headers, signal })
        keepIdentityToken(deps, jwt)
        // The session acts as this wallet now, and the tab's choice (§3) follows.
        const { addr, grp } = tokenClaims(jwt)
        const owner = grp ?? addr
        if (owner !== undefined) storage.keep(STORAGE_KEYS.ownerWallet, owner)
        return { type: 'attached' }
      } catch (error) {
        const failure = failureOf(error)
        return failure.reason === 'wallet-already-attached'
          ? { type: 'alreadyAttached' }
          : { type: 'refused', failure }
      }
    },
    disconnect: () => void connection.disconnect(),
    handBack: ({ result }) => onResult(result),
  }
}

/** The wallet said no, or nothing; its own words stand where it has any. */
function unsigned(error: string | undefined): Failure {
  const words = error?.replace(/^Error: /, '')
  return { notices: [words || 'The wallet did not sign.'] }
}
