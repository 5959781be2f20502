/**
 * The approvals of a wallet on the device. The bytes to sign are stored and decoded for display; an approval signs exactly
 * those bytes, once. Each step is stored before the next one begins, so the process may stop at any point.
 */
import { bytesToSign, connectedAccount } from '@portico/chain-client/bytes-to-sign'
import type { Chain, TransactionResponse } from '@portico/chain-client/chain'
import { assertStillPossible, expectedOutcome } from '@portico/chain-client/expected-outcome'
import { submittedProposal } from '@portico/chain-client/proposals'
import { explainedRefusal, refusalOfLog } from '@portico/chain-client/refusal-of-log'
import {
  exceededUsualFee,
  sequenceOf,
  signedTransaction,
  withSequence,
} from '@portico/chain-client/transaction'
import { Refusal } from '@portico/contracts/errors'
import {
  type ApprovalDescription,
  ApprovalRequest,
  type ApprovalResult,
  type Proposed,
} from '@portico/contracts/hosted-wallet'
import { APPROVAL_LIFETIME_MS, MAX_DEVICE_HISTORY } from '@portico/contracts/limits'
import { base64Of, bytesOfBase64, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { sign } from '@portico/keys/signature'
import { shortAddress } from '@portico/rules/short-address'
import { describeRequest } from '@portico/wallet-connect/describe-request'
import { describeTransaction } from '@portico/wallet-connect/describe-transaction'
import { ownNamed, ownNames } from '@portico/wallet-connect/own-names'
import { decisionOf, type PromptAnswer } from '@portico/wallet-kit/approval-prompt'
import type { DeviceKeyKeeper } from '@portico/wallet-kit/device-wallet'
import type { PendingApproval, RequestedBy } from '@portico/wallet-kit/key-keeper'
import { type Network, privateKeyOf } from './accounts.ts'
import { cutText } from './cut-text.ts'
import { outcomeOnChain, sendTransaction } from './send-transaction.ts'
import type {
  DeviceApproval,
  OpenVault,
  StoredAccount,
  StoredHistoryEntry,
  VaultContent,
} from './vault-content.ts'

/** How many undecided approvals are stored; older ones are recreated when their prompt is shown. */
const MAX_PENDING = 8

/** How many results are stored, because the process may stop before the page has received its response. */
const MAX_DECIDED = 100

/**
 * The maximum total length of stored undecided approvals, and of decided ones; at least one of each is kept. Pages choose
 * the length of their requests, and the vault must always fit into storage.
 */
const MAX_APPROVALS_LENGTH = 256 * 1024

type Pending = Extract<DeviceApproval, { step: 'pending' }>
type Signed = Extract<DeviceApproval, { step: 'signed' }>

/** The maximum length of a message in the history, and of the sentence around it. */
const MAX_MESSAGE_LENGTH = 120
const MAX_EFFECT_LENGTH = 300

export function deviceApprovals(deps: {
  readonly openVault: () => Promise<OpenVault>
  /** Reads the groups of all accounts from the chain and stores them. */
  readonly refreshGroups: () => Promise<void>
  readonly chain: Chain
  readonly network: Network
  /** The issuer of session tokens: the host of the installation. */
  readonly issuer: string
  readonly clock: () => number
  readonly pause: (milliseconds: number) => Promise<void>
}): Pick<DeviceKeyKeeper, 'requestApproval' | 'approve' | 'reject' | 'resultOf'> & {
  /** Looks up the outcomes that stayed unknown, and stores those that are known now. Sends nothing. */
  readonly refreshOutcomes: () => Promise<void>
} {
  const { openVault, chain, network, issuer, clock, pause } = deps

  async function requestApproval(
    unparsed: ApprovalRequest,
    { promptId, origin, audience = origin ?? 'null' }: RequestedBy,
  ): Promise<PendingApproval> {
    const request = parseRequest(unparsed)
    const vault = await openVault()
    let content = await vault.read()
    const { address, group } = request
    if (group != null && !mayActFor(content, address, group)) {
      await deps.refreshGroups()
      content = await vault.read()
    }
    const { publicKey } = authorizedAccount(content, request)
    const existing = currentApproval(content, { promptId, origin, request })
    if (existing !== undefined) return pendingApproval(existing, content)

    const prepared = await preparedBytes(request, publicKey, audience)
    content = await vault.read()
    const repeated = repeatedApproval(content, { promptId, origin, request, bytes: prepared })
    // An equal transaction with an unknown outcome may already be in a block.
    const expected =
      request.kind === 'send' && repeated === undefined
        ? await expectedOutcome(chain, { signBytes: prepared, address })
        : undefined
    const approval: Pending = {
      step: 'pending',
      approvalId: crypto.randomUUID(),
      promptId,
      origin: origin ?? null,
      request,
      bytes: repeated?.bytes ?? hexOf(prepared),
      createdAt: clock(),
      isRepeated: repeated !== undefined,
      votesOnly: expected === 'votes-only',
    }
    const described = pendingApproval(approval, content)
    let stored: PendingApproval | undefined
    await vault.change((current) => {
      // Another window may have created it in the meantime.
      const created = currentApproval(current, { promptId, origin, request })
      stored = created && pendingApproval(created, current)
      return created === undefined ? withApproval(current, approval) : current
    })
    return stored ?? described
  }

  /** The approval of the same request in the same prompt, unless it has expired undecided. */
  function currentApproval(
    content: VaultContent,
    { promptId, origin, request }: RequestedBy & { readonly request: ApprovalRequest },
  ): DeviceApproval | undefined {
    const approval = content.approvals.find((each) => each.promptId === promptId)
    if (approval === undefined) return undefined
    const isSame =
      approval.origin === (origin ?? null) &&
      JSON.stringify(approval.request) === JSON.stringify(request)
    if (approval.step === 'pending') {
      return isSame && !isOver(content, approval) ? approval : undefined
    }
    // A prompt is approved once: another request with its ID is not signed.
    if (!isSame) throw new Refusal('approval-over')
    return approval
  }

  /** Whether the request has to be described again: it has expired, or the outcome of the transaction it repeats is known. */
  function isOver({ approvals }: VaultContent, { createdAt, bytes, isRepeated }: Pending) {
    const age = clock() - createdAt
    if (age >= APPROVAL_LIFETIME_MS || age < 0) return true
    return isRepeated && !approvals.some((each) => each.step === 'signed' && each.bytes === bytes)
  }

  /**
   * The same page's equal transaction whose outcome is unknown. The chain has not executed it, because its sequence is the next
   * one.
   */
  function repeatedApproval(
    { approvals }: VaultContent,
    requested: RequestedBy & { readonly request: ApprovalRequest; readonly bytes: Uint8Array },
  ): Signed | undefined {
    const request = JSON.stringify(requested.request)
    return approvals.find(
      (each): each is Signed =>
        each.step === 'signed' &&
        !firstSends.has(each.approvalId) &&
        pageOf(each) === pageOf(requested) &&
        JSON.stringify(each.request) === request &&
        sequenceOf(bytesOf(each)) === sequenceOf(requested.bytes),
    )
  }

  /** Another transaction may take the sequence between the two requests to the chain, so a mismatch is retried once. */
  async function preparedBytes(
    request: ApprovalRequest,
    publicKey: string,
    audience: string,
  ): Promise<Uint8Array> {
    const signer = { chain, network, publicKey, issuer, audience, at: clock() }
    const prepare = () => bytesToSign(request, signer).catch(throwExplained)
    try {
      return await prepare()
    } catch (error) {
      if (error instanceof Refusal && error.code === 'sequence-mismatch') return prepare()
      throw error
    }
  }

  async function approve(approvalId: string): Promise<ApprovalResult | Proposed> {
    const vault = await openVault()
    await assertPossible(vault, approvalId)
    let isFirst = false
    await vault.change(async (content) => {
      const approval = content.approvals.find((each) => each.approvalId === approvalId)
      if (approval === undefined) throw new Refusal('approval-over')
      if (approval.step !== 'pending') return content
      if (isOver(content, approval)) throw new Refusal('approval-over')
      isFirst = true
      return signedContent(content, approval)
    })
    return outcome(vault, approvalId, isFirst)
  }

  /**
   * Refuses a transaction that the chain would not carry out any more, unless it may already have been sent.
   *
   * @throws Refusal - why the chain would not carry it out
   */
  async function assertPossible(vault: OpenVault, approvalId: string): Promise<void> {
    const pending = async () =>
      (await vault.read()).approvals.find(
        (each): each is Pending => each.approvalId === approvalId && each.step === 'pending',
      )
    const approval = await pending()
    if (approval === undefined || approval.request.kind !== 'send' || approval.isRepeated) return
    const { address } = approval.request
    try {
      await assertStillPossible(chain, { signBytes: bytesOf(approval), address })
    } catch (error) {
      // Another window may have sent it in the meantime, and its payment is why another one would fail.
      if ((await pending()) !== undefined) throw error
    }
  }

  /** Signs, and stores the result or, for a transaction, the signed bytes that are about to be sent. */
  async function signedContent(content: VaultContent, approval: Pending): Promise<VaultContent> {
    const { request } = approval
    const account = authorizedAccount(content, request)
    const bytes = unusedBytes(content, approval)
    const { words } = pendingApproval(approval, content)
    const signature = await signatureOf(content, account, bytes)
    const entry = historyEntry(approval, { content, words, at: clock() })
    if (request.kind === 'send') {
      const signed = await signApproval(approval, bytes, signature)
      const pendingEntry = {
        ...entry,
        decision: { kind: request.kind, how: 'unknown' as const },
        txhash: signed.hash,
      }
      return withHistory(withApproval(content, signed), pendingEntry)
    }
    const group = account.groups.find(({ address }) => address === request.group)
    const result: ApprovalResult =
      request.kind === 'connect' || request.kind === 'switch-group'
        ? {
            kind: request.kind,
            account: connectedAccount({ account, group, network, signed: { bytes, signature } }),
          }
        : { kind: request.kind, signature: hexOf(signature) }
    return withHistory(withApproval(content, { ...approval, step: 'decided', result }), entry)
  }

  async function signatureOf(
    { words }: VaultContent,
    { index }: StoredAccount,
    bytes: Uint8Array,
  ): Promise<Uint8Array> {
    const privateKey = await privateKeyOf(words, index, network)
    const signature = sign(privateKey, bytes)
    privateKey.fill(0)
    return signature
  }

  /** Outcomes being determined, so that repeated calls do not resend a transaction. */
  const outcomes = new Map<string, Promise<ApprovalResult | Proposed>>()

  /** The approvals whose transactions are being sent for the first time. */
  const firstSends = new Set<string>()

  /** Whether a transaction was signed, and no call is determining its outcome. */
  const isUnknown = (approval: DeviceApproval): approval is Signed =>
    approval.step === 'signed' && !outcomes.has(approval.approvalId)

  let outcomesRefresh: Promise<void> | undefined

  function refreshOutcomes(): Promise<void> {
    outcomesRefresh ??= determineOutcomes().finally(() => {
      outcomesRefresh = undefined
    })
    return outcomesRefresh
  }

  async function determineOutcomes(): Promise<void> {
    const vault = await openVault()
    const { approvals } = await vault.read()
    for (const approval of approvals.filter(isUnknown)) {
      const found = await outcomeOnChain(transactionOf(approval), { chain, pause })
      if (found?.kind === 'included') {
        await decide(vault, approval, resultIn(approval, found.response))
      } else if (found?.kind === 'superseded' && isUnknown(approval)) {
        await discard(vault, approval)
      }
    }
  }

  function outcome(vault: OpenVault, approvalId: string, isFirst: boolean) {
    const current = outcomes.get(approvalId)
    if (current !== undefined) return current
    const started = determineOutcome(vault, approvalId, isFirst)
    outcomes.set(approvalId, started)
    if (isFirst) firstSends.add(approvalId)
    const remove = () => {
      outcomes.delete(approvalId)
      firstSends.delete(approvalId)
    }
    started.then(remove, remove)
    return started
  }

  /** The result of a decided approval; that of a signed transaction is determined first. */
  async function determineOutcome(
    vault: OpenVault,
    approvalId: string,
    isFirst: boolean,
  ): Promise<ApprovalResult | Proposed> {
    for (;;) {
      const { approvals } = await vault.read()
      const approval = approvals.find((each) => each.approvalId === approvalId)
      if (approval === undefined || approval.step === 'pending') throw new Refusal('approval-over')
      if (approval.step === 'decided') return approval.result
      const { isResent, isRebuilt } = approval
      if (!isFirst) await markResent(vault, approval)
      const isUnsent = isFirst && !isResent
      const sent = await sendTransaction(transactionOf(approval), {
        chain,
        pause,
        isFirst: isUnsent,
      })
      if (sent.kind === 'included') {
        const result = resultIn(approval, sent.response)
        // It is in a block even if that cannot be stored; a later call finds it there again.
        await decide(vault, approval, result).catch(ignoreUnstored)
        return result
      }
      if (isUnsent && isResentIn(await vault.read(), approval)) continue
      if (sent.kind === 'superseded' && isUnsent && !isRebuilt) {
        await assertRebuildable(vault, approval, sent.sequence)
        await rebuild(vault, approval, sent.sequence)
      } else {
        await discard(vault, approval)
        throw sent.kind === 'refused' ? refusalOfLog(sent.log) : new Refusal('sequence-mismatch')
      }
    }
  }

  /** How long to wait before resending the bytes: another window may still be sending them for the first time. */
  async function markResent(vault: OpenVault, approval: Signed): Promise<void> {
    await vault.change((content) =>
      isUnchanged(content, approval) && !approval.isResent
        ? withApproval(content, { ...approval, isResent: true })
        : content,
    )
  }

  async function decide(
    vault: OpenVault,
    approval: Signed,
    result: ApprovalResult | Proposed,
  ): Promise<void> {
    const { how } = decisionOf({ kind: 'act', request: approval.request }, result)
    const proposalId = result.kind === 'proposed' ? result.proposalId : null
    await vault.change((content) =>
      isUnchanged(content, approval)
        ? withDecision(withApproval(content, { ...approval, step: 'decided', result }), approval, {
            how,
            proposalId,
          })
        : content,
    )
  }

  /** @throws Refusal - why the chain would not carry it out after the transaction that was faster */
  async function assertRebuildable(
    vault: OpenVault,
    approval: Signed,
    sequence: bigint,
  ): Promise<void> {
    const signBytes = withSequence(bytesOf(approval), sequence)
    try {
      await assertStillPossible(chain, { signBytes, address: approval.request.address })
    } catch (error) {
      await discard(vault, approval)
      throw error
    }
  }

  /**
   * Signs the transaction again with the account's next sequence, because another transaction used the first one. The first
   * one can then never be executed, and everything the user saw stays: messages, memo and fee are the same bytes. This is
   * done once, only by the call that signed first, and only if no other call has sent it, because then it could have been
   * executed.
   */
  async function rebuild(vault: OpenVault, approval: Signed, sequence: bigint): Promise<void> {
    await vault.change(async (content) => {
      if (!isUnchanged(content, approval) || isResentIn(content, approval)) return content
      const account = authorizedAccount(content, approval.request)
      const bytes = withSequence(bytesOf(approval), sequence)
      const signature = await signatureOf(content, account, bytes)
      const signed = await signApproval(approval, bytes, signature)
      return withDecision(withApproval(content, { ...signed, isRebuilt: true }), signed, {
        how: 'unknown',
      })
    })
  }

  /** The chain refused the transaction, so nothing was executed and the prompt can be approved again. */
  async function discard(vault: OpenVault, approval: Signed): Promise<void> {
    await vault.change((content) => {
      if (!isUnchanged(content, approval)) return content
      const approvals = content.approvals.filter((each) => each.approvalId !== approval.approvalId)
      return withDecision({ ...content, approvals }, approval, { how: 'failed' })
    })
  }

  async function reject(approvalId: string): Promise<void> {
    const vault = await openVault()
    await vault.change((content) => {
      const approval = content.approvals.find((each) => each.approvalId === approvalId)
      if (approval?.step !== 'pending') throw new Refusal('approval-over')
      const { words } = pendingApproval(approval, content)
      const entry = historyEntry(approval, { content, words, at: clock() })
      const approvals = content.approvals.filter((each) => each !== approval)
      const { kind } = approval.request
      return withHistory(
        { ...content, approvals },
        { ...entry, decision: { kind, how: 'refused' } },
      )
    })
  }

  async function resultOf(promptId: string): Promise<PromptAnswer> {
    const vault = await openVault()
    const { approvals } = await vault.read()
    const approval = approvals.find((each) => each.promptId === promptId)
    if (approval === undefined || approval.step === 'pending') return undefined
    try {
      return await outcome(vault, approval.approvalId, false)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // After a refusal by the chain nothing was executed, so the prompt is still undecided.
      const remaining = await vault.read()
      const isSigned = remaining.approvals.some(
        (each) => each.approvalId === approval.approvalId && each.step === 'signed',
      )
      return isSigned ? 'outcome-unknown' : undefined
    }
  }

  return { requestApproval, approve, reject, resultOf, refreshOutcomes }
}

/** @throws Refusal - `invalid-request` */
function parseRequest(unparsed: unknown): ApprovalRequest {
  const { data, error } = ApprovalRequest.safeParse(unparsed)
  if (data === undefined) throw new Refusal('invalid-request', { cause: error })
  return data
}

const mayActFor = ({ accounts }: VaultContent, address: string, group: string) =>
  accounts.some(
    (account) =>
      account.address === address && account.groups.some((each) => each.address === group),
  )

/** @throws Refusal - `account-not-authorized` */
function authorizedAccount(
  content: VaultContent,
  { address, group }: ApprovalRequest,
): StoredAccount {
  const account = content.accounts.find((each) => each.address === address)
  if (account === undefined || (group != null && !mayActFor(content, address, group))) {
    throw new Refusal('account-not-authorized')
  }
  return account
}

/** @throws Refusal - `message-unreadable` */
function pendingApproval(approval: DeviceApproval, { accounts }: VaultContent): PendingApproval {
  const { approvalId, request } = approval
  const bytes = bytesOf(approval)
  const group = request.group ? ownNamed(accounts, request.group) : undefined
  if (request.kind !== 'send') {
    return { approvalId, words: describeRequest(request, bytes, group), proof: null }
  }
  const usualFee = exceededUsualFee(request, bytes)
  const votesOnly = approval.step === 'pending' && approval.votesOnly
  const nameOf = ownNames(accounts, group)
  const words = describeTransaction(bytes, nameOf, undefined, usualFee, votesOnly)?.words
  if (words === undefined) throw new Refusal('message-unreadable')
  return { approvalId, words, proof: null }
}

/**
 * The bytes to sign. Two prompts with equal transactions, prepared at the same time, have the same bytes: both would find the same
 * transaction on the chain. The second one takes the next sequence, unless it repeats one whose outcome is unknown.
 */
function unusedBytes({ approvals }: VaultContent, approval: Pending): Uint8Array {
  let bytes = bytesOf(approval)
  if (approval.request.kind !== 'send' || approval.isRepeated) return bytes
  const used = new Set(approvals.map((each) => (each.step === 'pending' ? '' : each.bytes)))
  while (used.has(hexOf(bytes))) bytes = withSequence(bytes, sequenceOf(bytes) + 1n)
  return bytes
}

/** Who asked: the origin, or for one that the browser did not report, the connection. */
const pageOf = ({ origin, promptId }: { origin?: string | null | undefined; promptId: string }) =>
  origin ?? promptId.slice(0, promptId.lastIndexOf(':'))

const bytesOf = ({ bytes }: DeviceApproval) => bytesOfHex(bytes) ?? new Uint8Array()

const transactionOf = (approval: Signed) => ({
  bytes: bytesOfBase64(approval.transaction) ?? new Uint8Array(),
  hash: approval.hash,
  address: approval.request.address,
  sequence: sequenceOf(bytesOf(approval)),
})

async function signApproval(
  approval: Pending | Signed,
  bytes: Uint8Array,
  signature: Uint8Array,
): Promise<Signed> {
  const { approvalId, promptId, origin, request, createdAt } = approval
  const transaction = new Uint8Array(signedTransaction(bytes, signature))
  const hash = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', transaction)))
  return {
    step: 'signed',
    approvalId,
    promptId,
    origin,
    request,
    bytes: hexOf(bytes),
    createdAt,
    transaction: base64Of(transaction),
    hash: hash.toUpperCase(),
    isRebuilt: false,
    isResent: approval.step === 'pending' && approval.isRepeated,
  }
}

/** Whether no other window has changed the approval since it was read. */
const isUnchanged = ({ approvals }: VaultContent, { approvalId, hash }: Signed) =>
  approvals.some(
    (each) => each.approvalId === approvalId && each.step === 'signed' && each.hash === hash,
  )

const isResentIn = ({ approvals }: VaultContent, { approvalId }: Signed) =>
  approvals.some(
    (each) => each.approvalId === approvalId && each.step === 'signed' && each.isResent,
  )

/** Replaces the approval of the prompt, and removes the oldest ones beyond the limits. */
function withApproval(content: VaultContent, approval: DeviceApproval): VaultContent {
  const others = content.approvals.filter(({ promptId }) => promptId !== approval.promptId)
  const approvals = [...others, approval]
  const last = (step: DeviceApproval['step'], count: number) =>
    lastWithin(approvals.filter((each) => each.step === step).slice(-count), MAX_APPROVALS_LENGTH)
  const kept = new Set([...last('pending', MAX_PENDING), ...last('decided', MAX_DECIDED)])
  // A signed transaction is never removed before its outcome is determined.
  return {
    ...content,
    approvals: approvals.filter((each) => each.step === 'signed' || kept.has(each)),
  }
}

/** The latest approvals up to this total length, at least one. */
function lastWithin(approvals: readonly DeviceApproval[], maximum: number) {
  let length = 0
  const first = approvals.findLastIndex((each) => {
    length += JSON.stringify(each).length
    return length > maximum
  })
  return approvals.slice(Math.min(first + 1, approvals.length - 1))
}

/** Adds an entry; it replaces that of the same transaction, which the page asked for again. */
function withHistory(content: VaultContent, entry: StoredHistoryEntry): VaultContent {
  const others = content.history.filter(({ txhash }) => txhash === null || txhash !== entry.txhash)
  return { ...content, history: [entry, ...others].slice(0, MAX_DEVICE_HISTORY) }
}

/** Updates a transaction's outcome and hash. A transaction that was asked for again has one entry. */
function withDecision(
  content: VaultContent,
  { approvalId, hash }: Signed,
  {
    how,
    proposalId = null,
  }: {
    readonly how: StoredHistoryEntry['decision']['how']
    readonly proposalId?: string | null
  },
): VaultContent {
  const history = content.history.map((entry) =>
    entry.id === approvalId || entry.txhash === hash
      ? { ...entry, decision: { ...entry.decision, how }, txhash: hash, proposalId }
      : entry,
  )
  return { ...content, history }
}

/** Acting for a group submits a proposal, which may wait for the votes of other members. */
function resultIn({ request, hash }: Signed, txResponse: TransactionResponse) {
  const submitted = request.group == null ? undefined : submittedProposal(txResponse)
  return submitted?.status === 'pending' && txResponse['code'] === 0
    ? { kind: 'proposed' as const, proposalId: submitted.proposalId, txhash: hash }
    : { kind: 'send' as const, txResponse }
}

function historyEntry(
  { approvalId, origin, request }: DeviceApproval,
  {
    content,
    words,
    at,
  }: { readonly content: VaultContent; readonly words: ApprovalDescription; readonly at: number },
): StoredHistoryEntry {
  const { name, address } = authorizedAccount(content, request)
  return {
    id: approvalId,
    at,
    origin,
    acting: {
      account: { name, address },
      group: request.group ? ownNamed(content.accounts, request.group) : null,
    },
    effect: effectOf(words),
    decision: { kind: request.kind, how: 'agreed' },
    txhash: null,
    proposalId: null,
  }
}

/** The decision as a sentence without a period. */
function effectOf(words: ApprovalDescription): string {
  return cutText(wholeEffectOf(words), MAX_EFFECT_LENGTH)
}

function wholeEffectOf(words: ApprovalDescription): string {
  switch (words.kind) {
    case 'connect':
      return 'Connect'
    case 'switch-group':
      return words.group === null
        ? 'Stop acting for a group'
        : `Act for ${words.group.name || shortAddress(words.group.address)}`
    case 'text':
      return `Sign ‘${cutText(words.text.replace(/\s+/g, ' '), MAX_MESSAGE_LENGTH)}’`
    case 'bytes':
      return `Sign ${words.length} bytes of data`
    case 'token':
      return `Sign in to ${words.issuer}`
    case 'transaction':
      return words.effect
  }
}

function ignoreUnstored(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'storage-unavailable')) throw error
}

/** Throws the chain's refusal, with a specific code if the user can act on it. */
function throwExplained(error: unknown): never {
  throw explainedRefusal(error)
}
