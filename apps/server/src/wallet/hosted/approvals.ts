/**
 * Pages' requests to hosted wallets. The bytes to sign are created or received with the request, stored, and decoded for
 * display. An approval signs exactly those bytes, once, in the same session. A transaction beyond the limits requires a
 * proof bound to its approval, and the owner is notified of every transaction by mail.
 */
import { randomUUID } from 'node:crypto'
import type { Chain } from '@portico/chain-client/chain'
import { Refusal } from '@portico/contracts/errors'
import type {
  ApprovalDescription,
  ApprovalRequest,
  ApprovalResult,
  Proposed,
} from '@portico/contracts/hosted-wallet'
import { APPROVAL_LIFETIME_MS } from '@portico/contracts/limits'
import { bytesOfHex, hexOf } from '@portico/keys/bytes'
import type { GroupOfProposal, NameOf } from '@portico/wallet-connect/describe-message'
import type { TransactionDescription } from '@portico/wallet-connect/describe-transaction'
import type { Coin } from '@portico/wallet-connect/format-coins'
import type { Organizations } from '../../brands/brands.ts'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { transactionMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Vault } from '../../secrets/vault.ts'
import { type Network, openWalletKey } from '../../secrets/wallet-key.ts'
import { lockSession, type OpenSession } from '../../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import { assertAuthorized } from '../choose-account.ts'
import type { Memberships } from '../organization/memberships.ts'
import { ownIssuer } from '../wallet-token.ts'
import type { ApprovalRow } from './approvals.store.ts'
import type { HostedKeyRow } from './hosted-keys.store.ts'
import { coinsOf, proofReason, recipientsOf, type TransferLimits } from './transfer-limits.ts'

// Loaded on demand: the decoding and signing libraries are large and not needed at startup.
const signing = () => import('@portico/keys/signature')
const transactionDescription = () => import('@portico/wallet-connect/describe-transaction')
const transactions = () => import('@portico/chain-client/transaction')
const outcomes = () => import('@portico/chain-client/expected-outcome')
const proposals = () => import('@portico/chain-client/proposals')

/** The account that a request is for. */
interface RequestAccount {
  readonly identityId: string
  readonly address: string
  readonly group: string | null
}

export function hostedApprovals(deps: {
  readonly stores: TransactionalStores<
    | 'accounts'
    | 'approvals'
    | 'audit'
    | 'hostedKeys'
    | 'identities'
    | 'messages'
    | 'providers'
    | 'sessions'
    | 'transfers'
    | 'wallets'
  >
  readonly vault: Vault
  readonly clock: Clock
  readonly network: Network
  readonly chain: Chain
  readonly memberships: Pick<Memberships, 'refresh'>
  readonly outbox: Outbox
  readonly transferLimits: TransferLimits
  readonly tokenIssuers: readonly string[]
  readonly organizations: Pick<Organizations, 'all'>
}) {
  const { stores, vault, clock, network, chain, memberships, outbox } = deps
  const { transferLimits: limits } = deps

  /** The key for an account, if this identity may use it. */
  async function authorizedKey(
    identityId: string,
    address: string,
    group: string | null,
  ): Promise<HostedKeyRow> {
    if (group !== null) await memberships.refresh(group)
    const choice = { walletAddress: address, groupPolicyAddress: group ?? undefined }
    await assertAuthorized(stores, identityId, choice)
    const key = await stores.hostedKeys.find(address)
    if (key === undefined) throw new Refusal('account-not-authorized')
    return key
  }

  /** The bytes to sign. */
  async function prepare(request: ApprovalRequest, publicKey: string, visitor: Visitor) {
    const { bytesToSign } = await import('@portico/chain-client/bytes-to-sign')
    const issuer = ownIssuer(visitor.origin)
    try {
      const { pageOrigin: audience } = request
      const ownHosts = deps.organizations.all.flatMap(({ hosts }) => hosts)
      const acceptedIssuers = [...deps.tokenIssuers, ...ownHosts]
      const signer = { chain, network, publicKey, issuer, acceptedIssuers, audience, at: clock() }
      return await bytesToSign(request, signer)
    } catch (error) {
      const { explainedRefusal } = await import('@portico/chain-client/refusal-of-log')
      throw explainedRefusal(error)
    }
  }

  /** The user's own accounts with their groups, whose names an approval and its mail may show. */
  async function ownAccounts(identityId: string) {
    const [wallets, groups] = await Promise.all([
      stores.wallets.listByIdentity(identityId),
      stores.accounts.listByIdentity(identityId),
    ])
    return wallets
      .filter(({ verifiedAt }) => verifiedAt !== null)
      .map(({ address, name }) => ({
        address,
        name,
        groups: groups.filter(({ walletAddress }) => walletAddress === address),
      }))
  }

  async function namesFor({ identityId, group }: RequestAccount): Promise<NameOf> {
    const [{ ownNamed, ownNames }, accounts] = await Promise.all([
      import('@portico/wallet-connect/own-names'),
      ownAccounts(identityId),
    ])
    return ownNames(accounts, group === null ? undefined : ownNamed(accounts, group))
  }

  /** @throws Refusal - `message-unreadable` */
  async function transactionIn(
    bytes: Uint8Array,
    account: RequestAccount,
    {
      usualFee,
      votesOnly,
    }: { readonly usualFee?: Coin | undefined; readonly votesOnly?: boolean } = {},
  ) {
    const { describeTransaction } = await transactionDescription()
    const nameOf = await namesFor(account)
    const voted = new Set<string>()
    const describe = (groupOf: GroupOfProposal) =>
      describeTransaction(bytes, nameOf, groupOf, usualFee, votesOnly)
    let transaction = describe((proposalId) => void voted.add(proposalId))
    if (voted.size > 0) {
      const { groupsOfProposals } = await proposals()
      const groups = await groupsOfProposals(chain, [...voted])
      transaction = describe((proposalId) => groups.get(proposalId))
    }
    if (transaction === undefined) throw new Refusal('message-unreadable')
    return transaction
  }

  async function describeOther(
    request: Exclude<ApprovalRequest, { kind: 'send' }>,
    bytes: Uint8Array,
    identityId: string,
  ): Promise<ApprovalDescription> {
    const [{ describeRequest }, { ownNamed }] = await Promise.all([
      import('@portico/wallet-connect/describe-request'),
      import('@portico/wallet-connect/own-names'),
    ])
    const group =
      request.kind === 'switch-group' && request.group != null
        ? ownNamed(await ownAccounts(identityId), request.group)
        : undefined
    return describeRequest(request, bytes, group)
  }

  /**
   * Describes a request, and why its approval requires a proof.
   *
   * @throws Refusal - why the chain would not carry out the transaction
   */
  async function describe(request: ApprovalRequest, bytes: Uint8Array, identityId: string) {
    if (request.kind !== 'send') {
      return { words: await describeOther(request, bytes, identityId), proof: null }
    }
    const { address, group = null } = request
    const [{ exceededUsualFee }, { expectedOutcome }] = await Promise.all([
      transactions(),
      outcomes(),
    ])
    const account = { identityId, address, group }
    const expected = await expectedOutcome(chain, { signBytes: bytes, address })
    const spending = await transactionIn(bytes, account, {
      usualFee: exceededUsualFee(request, bytes),
      votesOnly: expected === 'votes-only',
    })
    const proof = await proofReason(stores, { identityId, limits, spending, at: clock() })
    return { words: spending.words, proof }
  }

  /** Decides the request; it cannot be decided again. */
  async function decide(
    approvalId: string,
    session: OpenSession,
    visitor: Visitor,
    kind: 'approval-given' | 'approval-rejected',
  ): Promise<ApprovalRow> {
    const at = clock()
    const { identityId } = session
    const pending = await stores.approvals.find(approvalId, session.id, at)
    const transaction =
      kind === 'approval-given' && pending?.kind === 'send'
        ? await transactionIn(bytesOfHex(pending.bytes) ?? new Uint8Array(), {
            identityId,
            address: pending.address,
            group: pending.groupPolicyAddress,
          })
        : undefined
    return stores.atomically(async (transactionStores) => {
      // Serialized per identity, so that concurrent approvals cannot exceed the limits together.
      if (transaction !== undefined) await transactionStores.identities.findForUpdate(identityId)
      const approval = await transactionStores.approvals.consume(approvalId, session.id, at)
      if (approval === undefined) throw new Refusal('approval-over')
      if (transaction !== undefined) {
        await admitTransfer(transactionStores, { approval, transaction, session, visitor, at })
      }
      await transactionStores.audit.record(kind, auditSubject(approval, at), visitor)
      return approval
    })
  }

  /**
   * Checks a transaction against the limits, counts it toward them, and notifies the owner by mail.
   *
   * @throws Refusal - `approval-unproven`
   */
  async function admitTransfer(
    transactionStores: Pick<Stores, 'messages' | 'providers' | 'transfers' | 'wallets'>,
    transfer: {
      readonly approval: ApprovalRow
      readonly transaction: TransactionDescription
      readonly session: OpenSession
      readonly visitor: Visitor
      readonly at: number
    },
  ): Promise<void> {
    const { approval, transaction, session, visitor, at } = transfer
    const { identityId, email } = session
    if (approval.provenAt === null) {
      const spending = { identityId, limits, spending: transaction, at }
      if ((await proofReason(transactionStores, spending)) !== null)
        throw new Refusal('approval-unproven')
      await transactionStores.transfers.insertUnproven(identityId, coinsOf(transaction) ?? [], at)
    } else {
      await transactionStores.transfers.insertKnown(identityId, recipientsOf(transaction), at)
    }
    const wallet = await transactionStores.wallets.find(identityId, approval.address)
    const { effect, fee } = transaction.words
    const provider = (await transactionStores.providers.findManager(identityId))?.name
    await outbox.add(
      transactionStores,
      transactionMail(visitor.senderTo(session.organizationCode), {
        email,
        provider,
        at,
        effect,
        account: wallet?.name ?? approval.address,
        fee,
        recipients: recipientsOf(transaction),
      }),
    )
  }

  async function result(
    approval: ApprovalRow,
    bytes: Uint8Array,
    signature: Uint8Array,
    publicKey: string,
  ): Promise<ApprovalResult | Proposed> {
    const { kind, address, groupPolicyAddress: groupAddress } = approval
    switch (kind) {
      case 'connect':
      case 'switch-group': {
        const { connectedAccount } = await import('@portico/chain-client/bytes-to-sign')
        const wallet = await stores.wallets.find(approval.identityId, address)
        const group =
          groupAddress === null
            ? undefined
            : await stores.accounts.findAuthorized(address, groupAddress)
        const account = { address, name: wallet?.name ?? '', publicKey }
        const signed = { bytes, signature }
        return { kind, account: connectedAccount({ account, group, network, signed }) }
      }
      case 'sign':
      case 'sign-jwt':
        return { kind, signature: hexOf(signature) }
      case 'send': {
        const [{ signedTransaction }, { submittedProposal }] = await Promise.all([
          transactions(),
          proposals(),
        ])
        const txResponse = await chain.broadcast(signedTransaction(bytes, signature))
        // A page that proposes with its own message instead of acting for the group needs the proposal's ID immediately.
        const proposal =
          groupAddress === null ? ({ status: 'none' } as const) : submittedProposal(txResponse)
        // The wallet waits for the votes.
        return proposal.status === 'pending'
          ? {
              kind: 'proposed',
              proposalId: proposal.proposalId,
              txhash: String(txResponse['txhash']),
            }
          : { kind, txResponse }
      }
    }
  }

  return {
    async request(request: ApprovalRequest, session: OpenSession, visitor: Visitor) {
      const { identityId } = session
      const { address, group = null, kind } = request
      const { publicKey } = await authorizedKey(identityId, address, group)
      const bytes = await prepare(request, publicKey, visitor)
      const { words, proof } = await describe(request, bytes, identityId)
      const at = clock()
      const approval: ApprovalRow = {
        id: randomUUID(),
        sessionId: session.id,
        identityId,
        kind,
        address,
        groupPolicyAddress: group,
        origin: visitor.origin,
        bytes: hexOf(bytes),
        createdAt: at,
        expiresAt: at + APPROVAL_LIFETIME_MS,
        decidedAt: null,
        provenAt: null,
      }
      await stores.atomically(async (transactionStores) => {
        await lockSession(transactionStores, session, at)
        await transactionStores.approvals.insert(approval)
        await transactionStores.audit.record('approval-asked', auditSubject(approval, at), visitor)
      })
      return { approvalId: approval.id, expiresAt: approval.expiresAt, words, proof }
    },

    async approve(
      approvalId: string,
      session: OpenSession,
      visitor: Visitor,
    ): Promise<ApprovalResult | Proposed> {
      // Authorizations may have changed since the request. Checked before the decision, which is mailed to the owner.
      const pending = await stores.approvals.find(approvalId, session.id, clock())
      if (pending === undefined) throw new Refusal('approval-over')
      const stored = await authorizedKey(
        pending.identityId,
        pending.address,
        pending.groupPolicyAddress,
      )
      const bytes = bytesOfHex(pending.bytes) ?? new Uint8Array()
      if (pending.kind === 'send') {
        const { assertStillPossible } = await outcomes()
        await assertStillPossible(chain, { signBytes: bytes, address: pending.address })
      }
      const approval = await decide(approvalId, session, visitor, 'approval-given')
      const { sign } = await signing()
      const signature = sign(await openWalletKey(vault, network, stored), bytes)
      return result(approval, bytes, signature, stored.publicKey)
    },

    reject: async (approvalId: string, session: OpenSession, visitor: Visitor): Promise<void> =>
      void (await decide(approvalId, session, visitor, 'approval-rejected')),
  }
}

/** Every request and decision is a security event. */
const auditSubject = ({ id, identityId, kind }: ApprovalRow, at: number) => ({
  identityId,
  at,
  details: { approval: id, kind },
})
