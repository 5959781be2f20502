import { ApiError } from '@portico/client/api-error'
import { beginOrganization, completeOrganization } from '@portico/contracts/organization-account'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { selectAccount } from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { connectAddress } from '@portico/rules/wallet-redirects'
import type { Failure } from '@portico/shell/failure'
import { failureOf } from '@portico/shell/failure-of'
import type { WalletConnectService } from '@portico/wallet-connect/session'
import type { Environment } from '../../environment.ts'
import { keepIdentityToken } from '../connection/identity-token.ts'
import type { Command, Event } from './create-organization.flow.ts'

/** What the creation leans on. */
export interface CreateOrganizationDeps
  extends Pick<
    Environment,
    'client' | 'gatekeeper' | 'identityTokenUpdated' | 'jwt' | 'navigate' | 'storage' | 'wait'
  > {
  readonly connection: Pick<WalletConnectService, 'removePendingMethod' | 'sendMessage'>
  /** The wallet that controls the organization. */
  readonly walletAddress: string
  /** Takes away the hosted wallet's panel where it still stands. */
  readonly closePanel: () => void
  /** Where the person goes on to. */
  readonly redirectUrl: string
}

/** A wallet may answer before its transaction stands in a block. */
const LOOKS = 10
const LOOK_AGAIN_MS = 3000

/** Carries out what the creation has done; each service reports back with an event. */
export function createOrganizationServices(deps: CreateOrganizationDeps): Services<Event, Command> {
  const { client, connection, walletAddress, closePanel, wait } = deps

  const refusing = async (attempt: () => Promise<Event>): Promise<Event> => {
    try {
      return await attempt()
    } catch (error) {
      return { type: 'refused', failure: failureOf(error) }
    }
  }

  async function complete(organizationId: string, signal: AbortSignal): Promise<Event> {
    for (let look = 1; ; look += 1) {
      try {
        const body = { organizationId }
        const { account } = await client(completeOrganization, { body, signal })
        return { type: 'created', account }
      } catch (error) {
        if (look === LOOKS || !isPending(error)) throw error
        await wait(LOOK_AGAIN_MS, signal)
      }
    }
  }

  return {
    // Not aborted: what is begun is begun, and is found again by its name.
    begin: ({ name }) =>
      refusing(async () => {
        const body = { walletAddress, name }
        const { organizationId: id, message, account } = await client(beginOrganization, { body })
        return account === undefined
          ? { type: 'begun', organization: { id, name, message } }
          : { type: 'created', account }
      }),
    async askWallet({ organization: { id, message } }, signal) {
      let answered = false
      // A question that nobody waits for any more is taken back, or it would be put again later.
      signal.addEventListener('abort', () => {
        if (!answered) void connection.removePendingMethod(id).finally(closePanel)
      })
      const description = 'Create an Organization'
      const { valid, error } = await connection.sendMessage({ message, description, customId: id })
      answered = true
      closePanel()
      return valid ? { type: 'approved' } : { type: 'rejected', failure: told(error) }
    },
    async complete({ organizationId }, signal) {
      try {
        return await complete(organizationId, signal)
      } catch (error) {
        return signal.aborted ? undefined : { type: 'refused', failure: failureOf(error) }
      }
    },
    actFor: ({ account: { address } }) =>
      refusing(async () => {
        const body = { walletAddress, groupPolicyAddress: address }
        const { jwt } = await client(selectAccount, { body })
        keepIdentityToken(deps, jwt)
        deps.storage.keep(STORAGE_KEYS.ownerWallet, address)
        return { type: 'acting' }
      }),
    // A wallet that was connected for an individual alone is connected anew for the group, from the token that names it.
    async runGatekeeper({ connecting }) {
      const { gatekeeper, navigate } = deps
      const redirectUrl = connecting ? connectAddress(deps.redirectUrl) : deps.redirectUrl
      navigate(await gatekeeper({ intent: 'kyc', redirectUrl }))
    },
  }
}

const isPending = (error: unknown) =>
  error instanceof ApiError && error.reason === 'organization-pending'

/** The wallet or the chain said no; their own words stand where there are any (§5). */
function told(error: string | undefined): Failure {
  const words = error?.replace(/^Error: /, '')
  return { notices: [words || 'The wallet did not answer.'] }
}
