import { ApiError } from '@portico/client/api-error'
import { beginOrganization, completeOrganization } from '@portico/contracts/organization-account'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { selectAccount } from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { walletErrorText } from '@portico/rules/wallet-error'
import { connectAddress } from '@portico/rules/wallet-redirects'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'
import { withRefusals } from '@portico/shell/failure-of'
import { isKnownText } from '@portico/wallet-connect/protocol'
import type { WalletConnectService } from '@portico/wallet-connect/session'
import type { Environment } from '../../environment.ts'
import { storeIdentityToken } from '../connection/identity-token.ts'
import type { Command, Event } from './create-organization.flow.ts'

export interface CreateOrganizationDeps
  extends Pick<
    Environment,
    'client' | 'gatekeeper' | 'identityTokenUpdated' | 'jwt' | 'navigate' | 'storage' | 'wait'
  > {
  readonly connection: Pick<WalletConnectService, 'removePendingMethod' | 'sendMessage'>
  /** The wallet that controls the organization. */
  readonly walletAddress: string
  /** Closes the hosted wallet's panel if it is open. */
  readonly closePanel: () => void
  /** Where the user continues. */
  readonly redirectUrl: string
}

/** A wallet may respond before its transaction is in a block, so completion is retried. */
const MAX_ATTEMPTS = 10
const RETRY_DELAY_MS = 3000

export function createOrganizationServices(deps: CreateOrganizationDeps): Services<Event, Command> {
  const { client, connection, walletAddress, closePanel, wait } = deps

  return withRefusals<Event, Command>({
    // Not aborted: a pending organization is found again by its name.
    async begin({ name, membership }) {
      const members = [...membership.members]
      const body = { walletAddress, name, members, threshold: membership.threshold }
      const { organizationId: id, message, account } = await client(beginOrganization, { body })
      return account === undefined
        ? { type: 'begun', organization: { id, name, membership, message } }
        : { type: 'created', account }
    },
    async requestApproval({ organization: { id, message } }, signal) {
      let hasResponded = false
      // Withdraw an abandoned request, otherwise the wallet would show it again later.
      signal.addEventListener('abort', () => {
        if (!hasResponded) void connection.removePendingMethod(id).finally(closePanel)
      })
      const description = 'Create an Organization'
      const { valid, error } = await connection.sendMessage({ message, description, customId: id })
      hasResponded = true
      closePanel()
      return valid ? { type: 'approved' } : { type: 'rejected', failure: rejectionOf(error) }
    },
    async complete({ organizationId }, signal) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const body = { organizationId }
          const { account } = await client(completeOrganization, { body, signal })
          return { type: 'created', account }
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !isPending(error)) throw error
          await wait(RETRY_DELAY_MS, signal)
        }
      }
    },
    async actFor({ account: { address } }) {
      const body = { walletAddress, groupPolicyAddress: address }
      const { jwt } = await client(selectAccount, { body })
      storeIdentityToken(deps, jwt)
      deps.storage.write(STORAGE_KEYS.ownerWallet, address)
      return { type: 'acting' }
    },
    // A wallet connected as an individual is reconnected as the group named in the new token.
    async runGatekeeper({ connecting }) {
      const { gatekeeper, navigate } = deps
      const redirectUrl = connecting ? connectAddress(deps.redirectUrl) : deps.redirectUrl
      // The user may continue even without a passport.
      const request = { intent: 'kyc', redirectUrl, incompleteRedirectUrl: redirectUrl } as const
      const result = await gatekeeper(request)
      if ('violations' in result) return { type: 'refused', failure: UNEXPECTED }
      navigate(result.path)
      return undefined
    },
  })
}

const isPending = (error: unknown) =>
  error instanceof ApiError && error.reason === 'organization-pending'

/** The wallet or the chain rejected the transaction; its reason is shown if it has one (§5). */
function rejectionOf(error: string | undefined): Failure {
  return { notices: [walletErrorText(error, isKnownText) ?? 'The wallet did not respond.'] }
}
