/**
 * What pages ask of hosted wallets. The bytes that would be signed are made or taken when the person is asked, kept, and
 * told in words decoded from them; approving signs those bytes and nothing else, once, in the session that was asked.
 */
import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import type {
  ApprovalRequest,
  ApprovalResult,
  ApprovalWords,
} from '@portico/contracts/hosted-wallet'
import { APPROVAL_LIFETIME_MS } from '@portico/contracts/limits'
import { bytesOfBase64, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { NETWORKS } from '@portico/keys/networks'
import type { AuditEvent } from '../../audit/audit.store.ts'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Vault } from '../../secrets/vault.ts'
import { type Network, openWalletKey } from '../../secrets/wallet-key.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { AllStores, Stores } from '../../stores.ts'
import type { Chain } from '../chain/chain.ts'
import { assertAuthorized } from '../choose-account.ts'
import { ownIssuer } from '../wallet-token.ts'
import type { ApprovalRow } from './approvals.store.ts'
import type { HostedKeyRow } from './hosted-keys.store.ts'

/** How long a page may use the token it is given where it asks for no other time (protocol 11). */
const CONNECTION_TOKEN_S = 86_400

// What reads, writes and signs is large, and most starts do not need it at once.
const signing = () => import('@portico/keys/signature')
const tokens = () => import('@portico/keys/jwt')
const words = () => import('../words/describe-bytes.ts')
const transactions = () => import('../chain/transaction.ts')

/** Asks, approves and rejects. */
export function hostedApprovals(needs: {
  readonly stores: AllStores
  readonly vault: Vault
  readonly clock: Clock
  readonly network: Network
  readonly chain: Chain
}) {
  const { stores, vault, clock, network, chain } = needs

  /** The key that acts for an account, if this identity may use it. */
  async function authorizedKey(
    identityId: string,
    address: string,
    group: string | null,
  ): Promise<HostedKeyRow> {
    const choice = { walletAddress: address, groupPolicyAddress: group ?? undefined }
    await assertAuthorized(stores, identityId, choice)
    const key = await stores.hostedKeys.find(address)
    if (key === undefined) throw new Refusal('account-not-authorized')
    return key
  }

  /** What will be signed. */
  async function bytesOf(
    asked: ApprovalRequest,
    { publicKey, visitor }: { publicKey: string; visitor: Visitor },
  ): Promise<Uint8Array> {
    switch (asked.kind) {
      case 'connect':
      case 'switch-group': {
        const { unsignedJwt } = await tokens()
        const iat = Math.floor(clock() / 1000)
        const token = unsignedJwt({
          sub: publicKey,
          iss: ownIssuer(visitor.origin),
          iat,
          exp: iat + (asked.jwtExpirationS ?? CONNECTION_TOKEN_S),
          addr: asked.address,
          ...(asked.group == null ? {} : { grp: asked.group }),
        })
        return Buffer.from(token, 'ascii')
      }
      case 'sign':
      case 'sign-jwt':
        return bytesOfHex(asked.messageHex) ?? new Uint8Array()
      case 'send': {
        const { prepareTransaction } = await transactions()
        return prepareTransaction(chain, network, {
          asked,
          publicKey: bytesOfBase64(publicKey) ?? new Uint8Array(),
        })
      }
    }
  }

  async function wordsOf(
    { kind, address, group }: ApprovalRequest,
    bytes: Uint8Array,
  ): Promise<ApprovalWords> {
    const { describeBytes, describeToken } = await words()
    const token = describeToken(bytes)
    switch (kind) {
      case 'connect':
        return { kind, lifetimeS: token === undefined ? 0 : token.expiresAt - token.issuedAt }
      case 'switch-group': {
        const account = group == null ? undefined : await stores.accounts.authorized(address, group)
        return { kind, group: account ? { name: account.name, address: account.address } : null }
      }
      case 'sign':
        return describeBytes(bytes)
      case 'sign-jwt':
        // A token is signed for its own account only: whoever asks for another's is asking for a forgery.
        if (token?.address !== address) throw new Refusal('message-unreadable')
        return token
      case 'send': {
        const transaction = describeBytes(bytes)
        if (transaction.kind !== 'transaction') throw new Refusal('message-unreadable')
        return transaction
      }
    }
  }

  /** Takes the request away, so that nobody can answer it again. */
  async function decide(
    approvalId: string,
    session: OpenSession,
    visitor: Visitor,
    kind: 'approval-given' | 'approval-rejected',
  ): Promise<ApprovalRow> {
    const at = clock()
    return stores.atomically(async (together) => {
      const approval = await together.approvals.decide(approvalId, session.id, at)
      if (approval === undefined) throw new Refusal('approval-over')
      await record(together, { kind, at, approval, visitor })
      return approval
    })
  }

  async function result(
    approval: ApprovalRow,
    bytes: Uint8Array,
    signature: Uint8Array,
    publicKey: string,
  ): Promise<ApprovalResult> {
    const { kind, address, group_address: group } = approval
    switch (kind) {
      case 'connect':
      case 'switch-group': {
        const { completeJwt } = await tokens()
        const wallet = await stores.wallets.find(approval.identity_id, address)
        const account =
          group === null ? undefined : await stores.accounts.authorized(address, group)
        return {
          kind,
          account: {
            address,
            publicKey,
            jwt: completeJwt(Buffer.from(bytes).toString('ascii'), signature),
            walletInfo: {
              id: address,
              name: wallet?.name ?? '',
              coin: network.prefix === NETWORKS.mainnet.prefix ? 'mainNet' : 'testNet',
            },
            attributes: [],
            representedGroupPolicy: account
              ? { address: account.address, metadata: { name: account.name } }
              : null,
          },
        }
      }
      case 'sign':
      case 'sign-jwt':
        return { kind, signature: hexOf(signature) }
      case 'send': {
        const { signedTransaction } = await transactions()
        return { kind, txResponse: await chain.broadcast(signedTransaction(bytes, signature)) }
      }
    }
  }

  return {
    async ask(asked: ApprovalRequest, session: OpenSession, visitor: Visitor) {
      const { identityId } = session
      const { address, group = null, kind, origin } = asked
      const { public_key: publicKey } = await authorizedKey(identityId, address, group)
      const bytes = await bytesOf(asked, { publicKey, visitor })
      const words = await wordsOf(asked, bytes)
      const at = clock()
      const approval: ApprovalRow = {
        id: randomUUID(),
        session_id: session.id,
        identity_id: identityId,
        kind,
        address,
        group_address: group,
        origin,
        bytes: hexOf(bytes),
        created_at: at,
        expires_at: at + APPROVAL_LIFETIME_MS,
        decided_at: null,
      }
      await stores.atomically(async (together) => {
        await together.approvals.add(approval)
        await record(together, { kind: 'approval-asked', at, approval, visitor })
      })
      return { approvalId: approval.id, expiresAt: approval.expires_at, words }
    },

    async approve(
      approvalId: string,
      session: OpenSession,
      visitor: Visitor,
    ): Promise<ApprovalResult> {
      const approval = await decide(approvalId, session, visitor, 'approval-given')
      // Who may act can have changed since the question was put.
      const { identity_id: identityId, address, group_address: group } = approval
      const stored = await authorizedKey(identityId, address, group)
      const bytes = bytesOfHex(approval.bytes) ?? new Uint8Array()
      const { sign } = await signing()
      const signature = sign(await openWalletKey(vault, network, stored), bytes)
      return result(approval, bytes, signature, stored.public_key)
    },

    reject: async (approvalId: string, session: OpenSession, visitor: Visitor): Promise<void> =>
      void (await decide(approvalId, session, visitor, 'approval-rejected')),
  }
}

/** Every question and every answer is a security event. */
function record(
  { audit }: Pick<Stores, 'audit'>,
  given: { kind: AuditEvent['kind']; at: number; approval: ApprovalRow; visitor: Visitor },
): Promise<void> {
  const { kind, at, approval, visitor } = given
  return audit.add({
    kind,
    at,
    identityId: approval.identity_id,
    organizationCode: visitor.organization.orgCode,
    network: visitor.network,
    details: { approval: approval.id, kind: approval.kind, origin: approval.origin },
  })
}
