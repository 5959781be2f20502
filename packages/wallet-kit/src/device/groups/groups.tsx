import type { Proposal } from '@portico/chain-client/proposals'
import { shortAddress } from '@portico/rules/short-address'
import { Button } from '@portico/ui/button'
import { RowButton } from '@portico/ui/row-button'
import { Skeleton } from '@portico/ui/skeleton'
import { ownNames } from '@portico/wallet-connect/own-names'
import { useState } from 'react'
import { FailureNotice } from '../../failure-notice.tsx'
import type { WalletAccount } from '../../key-keeper.ts'
import { Screen } from '../../screen.tsx'
import { UntrustedText } from '../../untrusted-text.tsx'
import rows from '../settings/settings.module.css'
import { useLive } from '../use-live.ts'
import { GroupDetails } from './group.tsx'
import { voterOf } from './group-accounts.ts'
import type { GroupReader, MemberGroup } from './group-reader.ts'
import styles from './groups.module.css'
import { useGroupsEnvironment } from './groups-environment.ts'
import { type OwnRequest, OwnRequestApproval } from './own-request.tsx'
import { ProposalDetails } from './proposal.tsx'
import { describeProposal, STATUS_TEXTS, timeLeft, votesText } from './proposal-text.ts'

type Page =
  | { readonly step: 'list' }
  | { readonly step: 'proposal'; readonly id: string }
  | { readonly step: 'group'; readonly policyAddress: string }
  | { readonly step: 'approving'; readonly request: OwnRequest; readonly next: Page }

const LIST: Page = { step: 'list' }

/** The proposals and the members of the groups that the accounts of this wallet belong to. */
export function Groups({
  reader,
  onBack,
}: {
  reader: GroupReader
  /** Undefined if the groups are a tab of the wallet. */
  onBack?: (() => void) | undefined
}) {
  const { accounts: readAccounts, subscribe, reportError, onLogIn } = useGroupsEnvironment()
  const [page, setPage] = useState(LIST)
  const { value, failure, reload } = useLive(
    async () => {
      const accounts = await readAccounts()
      const addresses = accounts.map(({ address }) => address)
      const [proposals, groups] = await Promise.all([
        reader.listProposals(addresses),
        reader.listGroups(addresses),
      ])
      return { accounts, proposals, groups }
    },
    subscribe,
    reportError,
  )
  const showList = () => {
    setPage(LIST)
    reload()
  }
  const group =
    page.step === 'group'
      ? value?.groups.find(({ policyAddress }) => policyAddress === page.policyAddress)
      : undefined

  if (page.step === 'approving') {
    const { next, request } = page
    return (
      <OwnRequestApproval
        request={request}
        onDone={() => {
          setPage(next)
          reload()
        }}
      />
    )
  }
  if (page.step === 'proposal' && value !== undefined) {
    return (
      <ProposalDetails
        id={page.id}
        reader={reader}
        accounts={value.accounts}
        onBack={showList}
        onRequest={(request) => setPage({ step: 'approving', request, next: page })}
      />
    )
  }
  if (group !== undefined && value !== undefined) {
    return (
      <GroupDetails
        group={group}
        accounts={value.accounts}
        onBack={showList}
        onRequest={(request) => setPage({ step: 'approving', request, next: page })}
      />
    )
  }
  return (
    <Screen
      title="Groups"
      actions={
        onBack && (
          <Button kind="secondary" onClick={onBack}>
            Back
          </Button>
        )
      }
    >
      {failure !== undefined ? (
        <>
          <FailureNotice failure={failure} onLogIn={onLogIn} />
          <Button wide kind="secondary" onClick={reload}>
            Try again
          </Button>
        </>
      ) : value === undefined ? (
        <Skeleton shape="text" count={4} label="Loading the proposals of your groups" />
      ) : value.groups.length === 0 ? (
        <p className={styles.muted}>
          None of your accounts is a member of a group. When someone adds your address to a group,
          you vote here on what it does.
        </p>
      ) : (
        <>
          <Proposals {...value} onOpen={(id) => setPage({ step: 'proposal', id })} />
          <section className={styles.section} aria-label="Your groups">
            <h2 className={styles.heading}>Your groups</h2>
            <div className={rows.rows}>
              {value.groups.map(({ policyAddress, name, members, threshold }) => (
                <RowButton
                  key={policyAddress}
                  title={<UntrustedText>{groupName({ name, policyAddress })}</UntrustedText>}
                  details={membersText({ members, threshold })}
                  onClick={() => setPage({ step: 'group', policyAddress })}
                />
              ))}
            </div>
          </section>
        </>
      )}
    </Screen>
  )
}

const groupName = ({ name, policyAddress }: Pick<MemberGroup, 'name' | 'policyAddress'>) =>
  name ?? shortAddress(policyAddress)

function membersText({ members, threshold }: Pick<MemberGroup, 'members' | 'threshold'>): string {
  const count = `${members.length} ${members.length === 1 ? 'member' : 'members'}`
  return threshold === undefined || members.length === 1
    ? count
    : threshold > members.reduce((sum, { weight }) => sum + weight, 0)
      ? `${count}, all must agree`
      : `${count}, ${threshold} must agree`
}

/** Those that wait for a vote of this wallet first. */
function Proposals({
  accounts,
  proposals,
  onOpen,
}: {
  accounts: readonly WalletAccount[]
  proposals: readonly Proposal[]
  onOpen: (id: string) => void
}) {
  const yours = proposals.filter((proposal) => voterOf(proposal, accounts) !== undefined)
  const others = proposals.filter((proposal) => !yours.includes(proposal))
  return (
    <>
      <ProposalList
        title="Waiting for your vote"
        empty="Nothing waits for your vote."
        {...{ proposals: yours, accounts, onOpen }}
      />
      {others.length > 0 && (
        <ProposalList title="Open" empty="" {...{ proposals: others, accounts, onOpen }} />
      )}
    </>
  )
}

function ProposalList({
  title,
  empty,
  proposals,
  accounts,
  onOpen,
}: {
  title: string
  empty: string
  proposals: readonly Proposal[]
  accounts: readonly WalletAccount[]
  onOpen: (id: string) => void
}) {
  const { clock } = useGroupsEnvironment()
  const nameOf = ownNames(accounts)
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      {proposals.length === 0 ? (
        <p className={styles.muted}>{empty}</p>
      ) : (
        <div className={rows.rows}>
          {proposals.map((proposal) => {
            const { proposers, status, groupName: name, policyAddress } = proposal
            const [proposer = ''] = proposers
            const end = status === 'open' ? timeLeft(proposal, clock()) : STATUS_TEXTS[status]
            return (
              <RowButton
                key={proposal.id}
                title={<UntrustedText>{describeProposal(proposal, accounts).effect}</UntrustedText>}
                details={
                  <>
                    <UntrustedText>{groupName({ name, policyAddress })}</UntrustedText>, proposed by{' '}
                    <UntrustedText>{nameOf(proposer) ?? shortAddress(proposer)}</UntrustedText>
                    <br />
                    {votesText(proposal)} · {end}
                  </>
                }
                onClick={() => onOpen(proposal.id)}
              />
            )
          })}
        </div>
      )}
    </section>
  )
}
