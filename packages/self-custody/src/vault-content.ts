/** The content of a vault: everything that the wallet stores. Nothing is readable without the passphrase or the passkey. */

import { Refusal } from '@portico/contracts/errors'
import { ApprovalRequest, ApprovalResult, Proposed } from '@portico/contracts/hosted-wallet'
import { parseJson } from '@portico/contracts/parse-json'
import { Account } from '@portico/contracts/wallet'
import { IDLE_MINUTES } from '@portico/wallet-kit/device-wallet'
import * as z from 'zod/mini'

const StoredAccount = z.object({
  /** The account's index on the network's path. */
  index: z.number().check(z.int(), z.nonnegative()),
  name: z.string(),
  address: z.string(),
  /** Compressed, in standard base64. */
  publicKey: z.string(),
  /** The groups in the chain's last response. */
  groups: z.array(Account),
})

export type StoredAccount = z.output<typeof StoredAccount>

const approvalFields = {
  approvalId: z.string(),
  promptId: z.string(),
  origin: z.nullable(z.string()),
  request: ApprovalRequest,
  /** The bytes to sign, in hex. */
  bytes: z.string(),
  createdAt: z.number(),
}

const DeviceApproval = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('pending'),
    ...approvalFields,
    /** Whether the same transaction was signed for an earlier prompt of the page, with an unknown outcome. */
    isRepeated: z._default(z.boolean(), false),
    /** Whether its votes count, but the proposal that they accept could not be carried out when it was described. */
    votesOnly: z._default(z.boolean(), false),
  }),
  /** Approved: a signed transaction that may or may not have been sent. */
  z.object({
    step: z.literal('signed'),
    ...approvalFields,
    /** The signed transaction in base64, and its hash. */
    transaction: z.string(),
    hash: z.string(),
    /** Whether it was re-signed with the next sequence, which happens at most once. */
    isRebuilt: z.boolean(),
    /** Whether another call or prompt has sent it before, so that this one cannot be sure that no node has it. */
    isResent: z.boolean(),
  }),
  z.object({
    step: z.literal('decided'),
    ...approvalFields,
    result: z.union([ApprovalResult, Proposed]),
  }),
])

/** The request of one prompt, from its description to its result. */
export type DeviceApproval = z.output<typeof DeviceApproval>

const HistoryEntry = z.object({
  id: z.string(),
  at: z.number(),
  origin: z.nullable(z.string()),
  acting: z.object({ account: Account, group: z.nullable(Account) }),
  effect: z.string(),
  decision: z.object({
    kind: z.enum(['connect', 'switch-group', 'sign', 'sign-jwt', 'send']),
    how: z.enum(['agreed', 'failed', 'proposed', 'refused', 'unknown']),
  }),
  txhash: z.nullable(z.string()),
  proposalId: z._default(z.nullable(z.string()), null),
})

export type StoredHistoryEntry = z.output<typeof HistoryEntry>

const VaultContent = z.object({
  words: z.string(),
  idleMinutes: z.literal(IDLE_MINUTES),
  accounts: z.array(StoredAccount).check(z.minLength(1)),
  /** Oldest first. */
  approvals: z.array(DeviceApproval),
  /** Newest first. */
  history: z.array(HistoryEntry),
})

export type VaultContent = z.output<typeof VaultContent>

/** @throws Refusal - `vault-damaged` */
export function readVaultContent(text: string): VaultContent {
  const parsed = VaultContent.safeParse(parseJson(text))
  if (!parsed.success) throw new Refusal('vault-damaged')
  return parsed.data
}

/** Access to the content of an unlocked vault, even if it is locked during a longer operation. */
export interface OpenVault {
  readonly read: () => Promise<VaultContent>
  /** Changes the content under a lock across windows; returning it unchanged writes nothing. */
  readonly change: (
    change: (content: VaultContent) => VaultContent | Promise<VaultContent>,
  ) => Promise<void>
}
