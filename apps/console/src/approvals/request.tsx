/** A request for an act: its effect, the requester and the reason, the decision and the result. */

import {
  type ActRequest,
  type ActRequestItem,
  approveActRequest,
  declineActRequest,
  readActRequest,
  withdrawActRequest,
} from '@portico/contracts/admin/act-requests'
import { readOrganization } from '@portico/contracts/admin/organizations'
import { ACT_TITLES, type ApprovableAct } from '@portico/contracts/admin/second-operator'
import { formatTime } from '@portico/rules/format'
import { useLoad } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Fact, Facts } from '@portico/ui/facts'
import { Link } from '@portico/ui/link'
import { Skeleton } from '@portico/ui/skeleton'
import { useToast } from '@portico/ui/toast'
import { useState } from 'react'
import { ActDialog } from '../act-dialog/act-dialog.tsx'
import { Differences } from '../differences/differences.tsx'
import { useEnvironment } from '../environment.ts'
import { LoadFailed, State } from '../list/list.tsx'
import { NameText, OrganizationNames } from '../name-text.tsx'
import { isPermitted, organizationName, useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { objectPath } from '../routes.ts'

import { actSentence, failureText, STATE_TEXTS } from './act-texts.ts'
import styles from './approvals.module.css'

const LIST = { href: '/console/approvals', title: 'Approvals' }

const CALLS = {
  approve: approveActRequest,
  decline: declineActRequest,
  withdraw: withdrawActRequest,
}

type Decision = keyof typeof CALLS

export function RequestPage({ requestUuid }: { requestUuid: string }) {
  const { client } = useOperator()
  const { reportError } = useEnvironment()
  const { result, failure, retry, reload } = useLoad(
    (signal) => client(readActRequest, { query: { requestUuid }, signal }),
    reportError,
  )
  const [decision, setDecision] = useState<Decision>()
  if (result === undefined || failure !== undefined) {
    return (
      <>
        <PageHead title="Request" back={LIST} />
        {failure === undefined ? (
          <Skeleton shape="field" count={4} label="Loading the request" />
        ) : failure.reason === 'not-found' || failure.reason === 'invalid-request' ? (
          <p>This request does not exist, or your roles do not cover it.</p>
        ) : (
          <LoadFailed failure={failure} onRetry={retry} />
        )}
      </>
    )
  }
  return (
    <>
      <RequestView request={result} onDecide={setDecision} />
      {decision && (
        <DecisionDialog
          decision={decision}
          request={result}
          onDone={() => {
            setDecision(undefined)
            reload()
          }}
          onClose={() => {
            setDecision(undefined)
            // If another decision was made meanwhile, this one was refused.
            reload()
          }}
        />
      )}
    </>
  )
}

function useNameOf() {
  const { operator } = useOperator()
  return (code: string) => (code === '*' ? 'all organizations' : organizationName(operator, code))
}

function RequestView({
  request,
  onDecide,
}: {
  request: ActRequest
  onDecide: (decision: Decision) => void
}) {
  const { operator } = useOperator()
  const nameOf = useNameOf()
  const { act, input, isOwn, obstacle, state } = request
  const isWaiting = state === 'waiting'
  return (
    <>
      <PageHead
        title={ACT_TITLES[act]}
        back={LIST}
        facts={
          <>
            <State tone={STATE_TEXTS[state].tone}>
              {STATE_TEXTS[state].text}
              {isWaiting && ` until ${formatTime(request.expiresAt)}`}
            </State>
            <About request={request} />
          </>
        }
      >
        {isWaiting &&
          (isOwn ? (
            <Button kind="secondary" onClick={() => onDecide('withdraw')}>
              Withdraw
            </Button>
          ) : (
            <>
              <Button kind="secondary" onClick={() => onDecide('decline')}>
                Decline
              </Button>
              {request.canApprove && <Button onClick={() => onDecide('approve')}>Approve</Button>}
            </>
          ))}
      </PageHead>
      <div className={styles.request}>
        <Outcome request={request} />
        <section className={styles.part} aria-labelledby="act">
          <h2 id="act">{isWaiting ? 'What happens if it is approved' : 'The action'}</h2>
          <p>{actSentence(request, nameOf)}</p>
          {act === 'publishOrganization' &&
            isWaiting &&
            obstacle === null &&
            isPermitted(operator, 'organizations.read') && (
              <Changes orgCode={String(input['orgCode'])} revision={Number(input['revision'])} />
            )}
        </section>
        <section className={styles.part} aria-labelledby="asked">
          <h2 id="asked">The request</h2>
          <Facts>
            <Fact label="Requested by">
              <NameText>{request.requestedBy}</NameText>
              {request.requesterKind === 'token' && ', a service token'}
            </Fact>
            <Fact label="Reason">
              <bdi>{request.reason}</bdi>
            </Fact>
            <Fact label="For">
              <OrganizationNames codes={request.organizationCodes} />
            </Fact>
            <Fact label="Requested">{formatTime(request.createdAt)}</Fact>
          </Facts>
        </section>
        {request.decidedAt !== null && (
          <section className={styles.part} aria-labelledby="decision">
            <h2 id="decision">The decision</h2>
            <Facts>
              <Fact label={DECIDED[state] ?? 'Approved by'}>
                <NameText>{request.decidedBy ?? request.requestedBy}</NameText>
              </Fact>
              <Fact label="Reason">
                <bdi>{request.decisionReason}</bdi>
              </Fact>
              <Fact label="When">{formatTime(request.decidedAt)}</Fact>
            </Facts>
          </section>
        )}
      </div>
    </>
  )
}

const DECIDED: Partial<Record<ActRequest['state'], string>> = {
  declined: 'Declined by',
  withdrawn: 'Withdrawn by',
}

/** A link to the object of the act, if the operator may see it. */
function About({ request: { act, subject, input } }: { request: ActRequest }) {
  const { operator } = useOperator()
  const { identityUuid, orgCode, id } = input
  const page = PAGES[act]
  const key = [identityUuid, orgCode, id].find((each) => typeof each === 'string')
  const name = page === ORGANIZATIONS ? organizationName(operator, subject) : subject
  return page !== undefined && typeof key === 'string' && isPermitted(operator, page.permission) ? (
    <Link href={objectPath(page.name, key)}>
      <NameText>{name}</NameText>
    </Link>
  ) : (
    <NameText>{name}</NameText>
  )
}

const PEOPLE = { name: 'people', permission: 'people.read' } as const
const ORGANIZATIONS = { name: 'organizations', permission: 'organizations.read' } as const
const BANNERS = { name: 'banners', permission: 'banners.write' } as const

const PAGES: Partial<Record<ApprovableAct, typeof PEOPLE | typeof ORGANIZATIONS | typeof BANNERS>> =
  {
    unlockPerson: PEOPLE,
    lockPerson: PEOPLE,
    endPersonSessions: PEOPLE,
    resetPersonFactor: PEOPLE,
    changePersonOrganization: PEOPLE,
    deletePerson: PEOPLE,
    revokeRole: PEOPLE,
    publishOrganization: ORGANIZATIONS,
    undoOrganization: ORGANIZATIONS,
    publishBanner: BANNERS,
    endBanner: BANNERS,
  }

/** The alert that the operator reads first. */
function Outcome({ request }: { request: ActRequest }) {
  const { state, obstacle, failure, isOwn, canApprove } = request
  switch (state) {
    case 'waiting':
      if (obstacle !== null) {
        return (
          <Alert tone="warn" title="This is no longer possible">
            <p>
              {failureText(obstacle)}{' '}
              {isOwn ? 'Withdraw it, then request it again.' : 'Decline it.'}
            </p>
          </Alert>
        )
      }
      if (isOwn) {
        return (
          <Alert tone="info" title="Waiting for another operator">
            <p>
              Nothing has changed yet. Another operator with the same permission has to approve it.
            </p>
          </Alert>
        )
      }
      return canApprove ? null : (
        <Alert tone="info" title="You cannot approve this">
          <p>Your roles do not allow it, or it affects you. Another operator decides.</p>
        </Alert>
      )
    case 'failed':
      return (
        <Alert tone="danger" title="It was approved but failed">
          <p>{failureText(failure ?? '')} Nothing was changed.</p>
        </Alert>
      )
    case 'interrupted':
      return (
        <Alert tone="danger" title="The server stopped before this was carried out">
          <p>Nothing was changed. Request it again if it is still needed.</p>
        </Alert>
      )
    case 'expired':
      return (
        <Alert tone="info" title="No one decided in time">
          <p>Nothing was changed. Request it again if it is still needed.</p>
        </Alert>
      )
    default:
      return null
  }
}

/** The changes of the draft that was submitted for publication. */
function Changes({ orgCode, revision }: { orgCode: string; revision: number }) {
  const { client } = useOperator()
  const { reportError } = useEnvironment()
  const { result, failure, retry } = useLoad(
    (signal) => client(readOrganization, { query: { orgCode }, signal }),
    reportError,
  )
  if (failure !== undefined) {
    return <LoadFailed failure={failure} onRetry={retry} />
  }
  if (result === undefined) return <Skeleton shape="text" count={3} label="Loading the changes" />
  const { draft } = result
  if (draft?.revision !== revision) return null
  return <Differences differences={draft.differences} titles={['Current', 'New']} />
}

function DecisionDialog({
  decision,
  request,
  onDone,
  onClose,
}: {
  decision: Decision
  request: ActRequest
  onDone: () => void
  onClose: () => void
}) {
  const nameOf = useNameOf()
  const showToast = useToast()
  const texts = {
    approve: {
      title: `Approve: ${ACT_TITLES[request.act].toLowerCase()}?`,
      consequence: (
        <>
          <p>{actSentence(request, nameOf)}</p>
          <p>
            This happens at once. The audit log names you and{' '}
            <NameText>{request.requestedBy}</NameText>.
          </p>
        </>
      ),
      button: 'Approve',
      busyLabel: 'One moment…',
    },
    decline: {
      title: `Decline: ${ACT_TITLES[request.act].toLowerCase()}?`,
      consequence: (
        <p>
          Nothing changes. <NameText>{request.requestedBy}</NameText> can read your reason here.
        </p>
      ),
      button: 'Decline',
      busyLabel: 'One moment…',
    },
    withdraw: {
      title: `Withdraw: ${ACT_TITLES[request.act].toLowerCase()}?`,
      consequence: <p>Nothing changes, and no one can approve it any more.</p>,
      button: 'Withdraw',
      busyLabel: 'One moment…',
    },
  }[decision]
  return (
    <ActDialog
      texts={texts}
      act={(client, { reason }, signal) =>
        client(CALLS[decision], { body: { requestUuid: request.requestUuid, reason }, signal })
      }
      onDone={(ended: ActRequestItem) => {
        showToast(
          ended.state === 'failed'
            ? { tone: 'warn', text: `It failed. ${failureText(ended.failure ?? '')}` }
            : { tone: 'ok', text: DONE_TEXTS[decision] },
        )
        onDone()
      }}
      onClose={onClose}
    />
  )
}

const DONE_TEXTS: Readonly<Record<Decision, string>> = {
  approve: 'Approved and done.',
  decline: 'Request declined.',
  withdraw: 'Request withdrawn.',
}
