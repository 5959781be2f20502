import type { Chain } from '@portico/chain-client/chain'
import {
  approveRequest,
  lockHostedWallet,
  readHostedAccounts,
  rejectRequest,
  renameHostedAccount,
  requestApproval,
  restoreHostedAccount,
} from '@portico/contracts/hosted-wallet'
import {
  acceptOrganization,
  beginOrganization,
  completeOrganization,
  declineOrganization,
  readOrganizationInvitations,
} from '@portico/contracts/organization-account'
import {
  attachWallet,
  convertWallet,
  createHostedAccount,
  readAccountAccess,
  readAccounts,
  readWalletAccounts,
  readWalletJwt,
  readWalletNonce,
  selectAccount,
} from '@portico/contracts/wallet'
import type { Organizations } from '../brands/brands.ts'
import type { Clock } from '../clock.ts'
import { COSTLY } from '../http/rate-limits.ts'
import { type Edge, serve } from '../http/serve.ts'
import { bearerText } from '../http/visitor.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Vault } from '../secrets/vault.ts'
import { type Network, networkOfPrefix } from '../secrets/wallet-key.ts'
import type { AllStores } from '../stores.ts'
import type { Tokens } from '../tokens/session-tokens.ts'
import { walletAttachment } from './attach-wallet.ts'
import { accountChoice } from './choose-account.ts'
import { walletConversion } from './convert-wallet.ts'
import { hostedApprovals } from './hosted/approvals.ts'
import { hostedAccounts } from './hosted/hosted-accounts.ts'
import type { TransferLimits } from './hosted/transfer-limits.ts'
import { walletLock } from './hosted/wallet-lock.ts'
import { nonceIssuer } from './issue-nonce.ts'
import { accountReader } from './list-accounts.ts'
import { organizationInvitations } from './organization/answer-invitation.ts'
import { organizationCreation } from './organization/create-organization.ts'
import type { InviteMembers } from './organization/invite-members.ts'
import type { Memberships } from './organization/memberships.ts'
import { walletTokens } from './wallet-token.ts'

interface WalletDeps {
  readonly stores: AllStores
  readonly tokens: Tokens
  readonly vault: Vault
  readonly clock: Clock
  readonly addressPrefix: Network['prefix']
  readonly tokenIssuers: readonly string[]
  readonly chain: Chain
  readonly memberships: Memberships
  readonly inviteMembers: InviteMembers
  readonly outbox: Outbox
  readonly transferLimits: TransferLimits
  readonly organizations: Pick<Organizations, 'all'>
}

/** Routes for the wallet calls of §7.4 and for hosted wallets. */
export function wallets(edge: Edge, options: WalletDeps): void {
  const network = networkOfPrefix(options.addressPrefix)
  const { sessions } = edge
  const readToken = walletTokens({ ...options, network, issuers: options.tokenIssuers })
  const deps = { ...options, sessions, network, readToken }
  const nonce = nonceIssuer(deps)
  const attach = walletAttachment(deps)
  const choose = accountChoice(deps)
  const read = accountReader(deps)
  const hosted = hostedAccounts(deps)
  const convert = walletConversion(deps)
  const approvals = hostedApprovals(deps)
  const organizations = organizationCreation(deps)
  const invitations = organizationInvitations(deps)
  const { lock, recordUse, assertOpen } = walletLock(deps)

  serve(edge, readWalletNonce, ({ visitor, headers }) => nonce(visitor, headers['authorization']))
  serve(edge, attachWallet, async ({ query, headers, session, visitor }) => {
    const proof = await readToken(bearerText(headers['authorization']), visitor)
    const { signedNonceHex, walletName, defaultWallet } = query
    const request = { signedNonceHex, name: walletName, isDefault: defaultWallet === 'true' }
    return attach(proof, request, session, visitor)
  })
  serve(edge, readWalletJwt, ({ query, session, visitor }) => choose(query, session, visitor))
  serve(edge, selectAccount, ({ body, session, visitor }) => choose(body, session, visitor))
  serve(edge, readWalletAccounts, ({ session }) => read.wallets(session))
  serve(edge, readAccounts, ({ session }) => read.list(session))
  serve(edge, readAccountAccess, ({ query, session }) => read.access(query.principal, session))
  serve(
    edge,
    createHostedAccount,
    ({ body, session, visitor }) => hosted.create(body, session, visitor),
    COSTLY,
  )
  serve(
    edge,
    convertWallet,
    ({ body, session, visitor }) => convert(body.walletAddress, session, visitor),
    COSTLY,
  )
  serve(
    edge,
    beginOrganization,
    ({ body, session, visitor }) => organizations.begin(body, session, visitor),
    COSTLY,
  )
  serve(edge, completeOrganization, ({ body, session, visitor }) =>
    organizations.complete(body.organizationId, session, visitor),
  )
  serve(edge, readOrganizationInvitations, ({ query, session }) =>
    invitations.list(query.after, session),
  )
  serve(edge, acceptOrganization, ({ body, session, visitor }) =>
    invitations.accept(body.accountAddress, session, visitor),
  )
  serve(edge, declineOrganization, ({ body, session, visitor }) =>
    invitations.decline(body.accountAddress, session, visitor),
  )
  serve(edge, lockHostedWallet, ({ session, visitor }) => lock(session, visitor))
  serve(edge, readHostedAccounts, async ({ session }) => {
    assertOpen(session)
    return hosted.list(session)
  })
  serve(edge, renameHostedAccount, async ({ body, session }) => {
    await recordUse(session)
    return hosted.rename(body, session)
  })
  serve(
    edge,
    restoreHostedAccount,
    async ({ body, session, visitor }) => {
      await recordUse(session)
      return hosted.restore(body, session, visitor)
    },
    COSTLY,
  )
  serve(edge, requestApproval, async ({ body, session, visitor }) => {
    assertOpen(session)
    return approvals.request(body, session, visitor)
  })
  serve(edge, approveRequest, async ({ body, session, visitor }) => {
    await recordUse(session)
    return approvals.approve(body.approvalId, session, visitor)
  })
  serve(edge, rejectRequest, ({ body, session, visitor }) =>
    approvals.reject(body.approvalId, session, visitor),
  )
}
