import type { Proposal, ProposalStatus } from '@portico/chain-client/proposals'
import type { TransactionMessage } from '@portico/contracts/hosted-wallet'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { describeMessage, effectOf } from '@portico/wallet-connect/describe-message'
import { ownNames } from '@portico/wallet-connect/own-names'
import type { Tone } from '../../approval/outcome-text.ts'
import { formatDuration } from '../../approval/request-text.ts'
import type { WalletAccount } from '../../key-keeper.ts'

/** What a proposal would do, decoded from the bytes of its messages. */
export interface DescribedProposal {
  readonly effect: string
  readonly messages: readonly TransactionMessage[]
  /** Whether the wallet can read everything that it would do. */
  readonly isUnderstood: boolean
}

export function describeProposal(
  { messages, policyAddress, groupName }: Proposal,
  accounts: readonly Pick<WalletAccount, 'address' | 'name'>[],
): DescribedProposal {
  const group = groupName === undefined ? undefined : { name: groupName, address: policyAddress }
  const nameOf = ownNames(accounts, group)
  const described = messages.map(({ typeUrl, value, json }) =>
    value === undefined
      ? unknownMessage(typeUrl, json)
      : describeMessage({ typeUrl, value }, nameOf),
  )
  const all = described.flatMap((each) => each.messages)
  return {
    effect: messages.length === 0 ? 'Decide without an effect' : effectOf(described),
    messages: all,
    isUnderstood: all.every(({ understood }) => understood),
  }
}

/** The node's text of a message that this wallet cannot encode. */
function unknownMessage(typeUrl: string, json: string): ReturnType<typeof describeMessage> {
  const kind = escapeInvisible(typeUrl)
  const message: TransactionMessage = {
    level: 0,
    typeUrl: kind,
    title: 'A message this wallet does not recognize',
    understood: false,
    fields: [
      { kind: 'data', label: 'Kind', value: kind },
      { kind: 'data', label: 'Content', value: escapeInvisible(json) },
    ],
  }
  return {
    effect: 'Send a message this wallet does not recognize',
    messages: [message],
    transfers: undefined,
  }
}

/** The votes that a proposal has and needs. */
export function votesOf({ tally, required, members }: Proposal) {
  const total = members.reduce((sum, { weight }) => sum + Number(weight), 0)
  const yes = Number(tally.yes)
  const needed =
    'threshold' in required
      ? Math.min(Number(required.threshold), total)
      : Math.ceil(Number(required.percentage) * total)
  return { yes, needed, missing: Math.max(0, needed - yes) }
}

/** Such as '1 of 2 votes', or '3 votes, 2 needed'. */
export function votesText(proposal: Proposal): string {
  const { yes, needed } = votesOf(proposal)
  return yes > needed
    ? `${yes} votes, ${needed} needed`
    : `${yes} of ${needed} ${needed === 1 ? 'vote' : 'votes'}`
}

/** Such as 'Waiting for 1 more vote'. */
export function missingText(proposal: Proposal): string {
  const { missing } = votesOf(proposal)
  return `Waiting for ${missing} more ${missing === 1 ? 'vote' : 'votes'}`
}

export function timeLeft({ votingEndsAt }: Proposal, now: number): string {
  const seconds = (votingEndsAt - now) / 1000
  return seconds <= 0 ? 'Voting has ended' : `${formatDuration(Math.max(1, seconds))} left`
}

/** How a proposal stands, in words. */
export const STATUS_TEXTS: Readonly<Record<ProposalStatus, string>> = {
  open: 'Waiting for votes',
  accepted: 'Accepted, not carried out yet',
  executed: 'Carried out',
  failed: 'Accepted, but it could not be carried out',
  rejected: 'The group rejected it',
  expired: 'It expired before enough members voted for it',
  aborted: 'It ended because the group changed how it decides',
  withdrawn: 'It was withdrawn',
}

export const STATUS_TONES: Readonly<Record<ProposalStatus, Tone>> = {
  open: 'neutral',
  accepted: 'neutral',
  executed: 'ok',
  failed: 'danger',
  rejected: 'neutral',
  expired: 'warn',
  aborted: 'warn',
  withdrawn: 'neutral',
}

export const VOTE_TEXTS = {
  yes: 'Voted yes',
  no: 'Voted no',
  abstain: 'Abstained',
  'no-with-veto': 'Voted no, with veto',
} as const
