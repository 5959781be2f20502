import {
  execMessage,
  type VoteChoice,
  voteMessage,
  withdrawMessage,
} from '@portico/chain-client/group-messages'
import type { Proposal } from '@portico/chain-client/proposals'
import { formatTime } from '@portico/rules/format'
import { shortAddress } from '@portico/rules/short-address'
import { proposalErrorText } from '@portico/rules/wallet-error'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Checkbox } from '@portico/ui/checkbox'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { ownNames } from '@portico/wallet-connect/own-names'
import { type ReactNode, useState } from 'react'
import { MessagesView } from '../../approval/approval-details.tsx'
import { Fact, Facts } from '../../facts.tsx'
import { FailureNotice } from '../../failure-notice.tsx'
import type { WalletAccount } from '../../key-keeper.ts'
import { Outcome } from '../../outcome.tsx'
import { Screen } from '../../screen.tsx'
import { UntrustedText } from '../../untrusted-text.tsx'
import { useLive } from '../use-live.ts'
import { voterOf } from './group-accounts.ts'
import type { GroupReader } from './group-reader.ts'
import styles from './groups.module.css'
import { useGroupsEnvironment } from './groups-environment.ts'
import type { OwnRequest } from './own-request.tsx'
import {
  type DescribedProposal,
  describeProposal,
  missingText,
  STATUS_TEXTS,
  STATUS_TONES,
  timeLeft,
  VOTE_TEXTS,
  votesOf,
  votesText,
} from './proposal-text.ts'

/** A proposal with the votes, and what the accounts of this wallet can do about it. */
export function ProposalDetails({
  id,
  reader,
  accounts,
  onBack,
  onRequest,
}: {
  id: string
  reader: GroupReader
  accounts: readonly WalletAccount[]
  onBack: () => void
  onRequest: (request: OwnRequest) => void
}) {
  const { subscribe, reportError } = useGroupsEnvironment()
  const { value, failure, reload } = useLive(
    async () => {
      const proposal = await reader.readProposal(id)
      return { proposal, result: proposal ?? (await reader.readResult(id)) }
    },
    subscribe,
    reportError,
  )
  const back = (
    <Button kind="secondary" onClick={onBack}>
      Back
    </Button>
  )
  if (failure !== undefined) {
    return (
      <Screen
        title={`Proposal ${id}`}
        actions={
          <>
            {back}
            <Button onClick={reload}>Try again</Button>
          </>
        }
      >
        <FailureNotice failure={failure} />
      </Screen>
    )
  }
  if (value === undefined) {
    return (
      <Screen title={`Proposal ${id}`} actions={back}>
        <Skeleton shape="text" count={5} label="Loading the proposal" />
      </Screen>
    )
  }
  const { proposal, result } = value
  if (proposal === undefined) {
    // A node deletes executed proposals, and others some time after they end.
    return (
      <Screen title={`Proposal ${id}`} actions={back}>
        <Outcome tone={STATUS_TONES[result.status]}>{STATUS_TEXTS[result.status]}.</Outcome>
        <p>There is nothing left to vote on.</p>
      </Screen>
    )
  }
  return <Voting {...{ proposal, accounts, back, onRequest }} />
}

const CHOICES = {
  yes: 'You voted yes',
  no: 'You voted no',
  abstain: 'You abstained',
} as const satisfies Partial<Record<VoteChoice, string>>

function Voting({
  proposal,
  accounts,
  back,
  onRequest,
}: {
  proposal: Proposal
  accounts: readonly WalletAccount[]
  back: ReactNode
  onRequest: (request: OwnRequest) => void
}) {
  const { clock } = useGroupsEnvironment()
  const [isRiskAccepted, setRiskAccepted] = useState(false)
  const nameOf = ownNames(accounts)
  const described = describeProposal(proposal, accounts)
  const { id, status, members, proposers, groupName, policyAddress, votingEndsAt, log, summary } =
    proposal
  const voter = voterOf(proposal, accounts)
  const member = accounts.find(({ address }) => members.some((each) => each.address === address))
  const proposer = accounts.find(({ address }) => proposers.includes(address))

  const send = (account: Pick<WalletAccount, 'address' | 'name'>, message: string, done: string) =>
    onRequest({
      acting: { account: { name: account.name, address: account.address }, group: null },
      request: { kind: 'send', address: account.address, messages: [message] },
      done,
    })
  const vote = (account: Pick<WalletAccount, 'address' | 'name'>, choice: keyof typeof CHOICES) =>
    send(account, voteMessage({ proposalId: id, voter: account.address, choice }), CHOICES[choice])
  const canExecute = (status === 'accepted' || status === 'failed') && member !== undefined

  return (
    <Screen
      title={described.effect}
      note={`Proposal ${id}`}
      hint={
        voter &&
        !described.isUnderstood &&
        !isRiskAccepted && (
          <p className={styles.muted}>To vote yes, confirm at the end that you trust it.</p>
        )
      }
      actions={
        voter === undefined ? (
          <>
            {back}
            {canExecute && (
              <Button
                onClick={() =>
                  send(
                    member,
                    execMessage({ proposalId: id, executor: member.address }),
                    'Carried out',
                  )
                }
              >
                {status === 'failed' ? 'Try again' : 'Carry out'}
              </Button>
            )}
          </>
        ) : (
          <>
            <Button kind="secondary" onClick={() => vote(voter, 'no')}>
              Vote no
            </Button>
            <Button
              disabled={!described.isUnderstood && !isRiskAccepted}
              onClick={() => vote(voter, 'yes')}
            >
              Vote yes
            </Button>
          </>
        )
      }
    >
      {status !== 'open' && <Outcome tone={STATUS_TONES[status]}>{STATUS_TEXTS[status]}.</Outcome>}
      {log && <p>{proposalErrorText(log)}</p>}
      <ThresholdMeter proposal={proposal} />
      <Messages described={described} />
      {status === 'open' && member === undefined && (
        <Alert tone="info">
          <p>No account of this wallet is a member of the group any more, so you cannot vote.</p>
        </Alert>
      )}
      <Facts>
        <Fact
          label="Group"
          {...(groupName === undefined ? {} : { name: groupName })}
          address={policyAddress}
          isShort
        />
        {proposers.map((address) => (
          <Fact key={address} label="Proposed by" {...named(address, nameOf)} isShort />
        ))}
        {summary !== '' && (
          <Fact label="Proposer's note">
            <UntrustedText>{summary}</UntrustedText>
          </Fact>
        )}
        <Fact label="Voting ends">
          {formatTime(votingEndsAt)} ({timeLeft(proposal, clock())})
        </Fact>
        {voter && <Fact label="Voting as" name={voter.name} address={voter.address} />}
      </Facts>
      <section aria-label="Votes" className={styles.section}>
        <h2 className={styles.heading}>Votes</h2>
        <ul className={styles.members}>
          {members.map(({ address, vote: choice, name }) => (
            <li key={address} className={styles.member}>
              <span>
                <UntrustedText>{nameOf(address) ?? name ?? shortAddress(address)}</UntrustedText>
                {nameOf(address) !== undefined && ' (you)'}
                {nameOf(address) === undefined && name !== undefined && (
                  <>
                    <br />
                    <span className={styles.muted} title={address}>
                      {shortAddress(address)}
                    </span>
                  </>
                )}
              </span>
              <span className={styles.muted}>
                {choice === undefined ? 'Not yet' : VOTE_TEXTS[choice]}
              </span>
            </li>
          ))}
        </ul>
      </section>
      {voter && !described.isUnderstood && (
        <Checkbox
          label="I trust this proposal and vote for what the wallet cannot read."
          checked={isRiskAccepted}
          onChange={({ currentTarget }) => setRiskAccepted(currentTarget.checked)}
        />
      )}
      {voter && (
        <p className={styles.links}>
          <LinkButton onClick={() => vote(voter, 'abstain')}>Abstain</LinkButton>
          {back}
        </p>
      )}
      {proposer && ['open', 'accepted', 'failed'].includes(status) && (
        <p>
          <LinkButton
            onClick={() =>
              send(
                proposer,
                withdrawMessage({ proposalId: id, address: proposer.address }),
                'Proposal withdrawn',
              )
            }
          >
            Withdraw the proposal
          </LinkButton>
        </p>
      )}
    </Screen>
  )
}

function named(address: string, nameOf: (address: string) => string | undefined) {
  const name = nameOf(address)
  return name === undefined ? { address } : { name, address }
}

function Messages({ described: { messages, isUnderstood } }: { described: DescribedProposal }) {
  return (
    <>
      {!isUnderstood && (
        <Alert tone="warn">
          <p>
            The wallet cannot read all of this proposal. Vote yes only if you trust who proposed it.
          </p>
        </Alert>
      )}
      <MessagesView messages={messages} />
    </>
  )
}

/** More segments would be too small to distinguish. */
const MAX_SEGMENTS = 10

function ThresholdMeter({ proposal }: { proposal: Proposal }) {
  const { yes, needed } = votesOf(proposal)
  return (
    <div className={styles.threshold}>
      {needed <= MAX_SEGMENTS && (
        <div className={styles.segments} aria-hidden="true">
          {Array.from({ length: needed }, (_, index) => (
            <span key={index} data-filled={index < yes || undefined} />
          ))}
        </div>
      )}
      <p className={styles.votes}>
        {votesText(proposal)}
        {proposal.status === 'open' && ` · ${missingText(proposal)}`}
      </p>
    </div>
  )
}
