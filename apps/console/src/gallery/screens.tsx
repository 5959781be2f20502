import { refusal } from '@portico/client/testing'
import type { ActRequest } from '@portico/contracts/admin/act-requests'
import type { GALLERY_SCREENS } from '@portico/contracts/gallery'
import { EmailText } from '@portico/ui/email-text'
import type { ReactNode } from 'react'
import { ActDialog, WaitsDialog } from '../act-dialog/act-dialog.tsx'
import {
  APPROVALS,
  EARLIER,
  FAILED_REQUEST,
  OWN_REQUEST,
  REQUEST,
} from '../approvals/approvals.samples.ts'
import { Approvals } from '../approvals/approvals.tsx'
import { AUDIT } from '../audit/audit.samples.ts'
import { Audit } from '../audit/audit.tsx'
import { BANNERS, SHOWN } from '../banners/banners.samples.ts'
import { Banners } from '../banners/banners.tsx'
import { EnvironmentContext } from '../environment.ts'
import { EARLY_RESULT, EXPERIMENTS, RUN } from '../experiments/experiments.samples.ts'
import { Experiments } from '../experiments/experiments.tsx'
import { INSIGHT } from '../insight/insight.samples.ts'
import { Insight } from '../insight/insight.tsx'
import { OPERATIONS } from '../operations/operations.samples.ts'
import { Operations } from '../operations/operations.tsx'
import { NoAccess, type Operator } from '../operator/operator.tsx'
import { OPERATORS } from '../operators/operators.samples.ts'
import { Operators } from '../operators/operators.tsx'
import { ORGANIZATIONS } from '../organizations/organizations.samples.ts'
import { Organizations } from '../organizations/organizations.tsx'
import { LARS, LOCKED_OUT, PEOPLE } from '../people/people.samples.ts'
import { People } from '../people/people.tsx'
import { Start } from '../start/start.tsx'
import { NoStrongMethod } from '../step-up/step-up.tsx'
import { type Answers, anOperator, ConsoleAt, fakeEnvironment } from '../testing.tsx'
import { TOKENS } from '../tokens/tokens.samples.ts'
import { Tokens } from '../tokens/tokens.tsx'

/** A page at a URL, with the server's answers. */
const at =
  (address: string, view: ReactNode, answers: Answers = {}, operator?: Operator) =>
  () => (
    <ConsoleAt
      address={address}
      environment={fakeEnvironment(answers)}
      {...(operator && { operator })}
    >
      {view}
    </ConsoleAt>
  )

const noAccess = (access: Operator['access']) => () => (
  <EnvironmentContext value={fakeEnvironment()}>
    <NoAccess operator={anOperator('support', { access, roles: [], permissions: [] })}>
      <NoStrongMethod />
    </NoAccess>
  </EnvironmentContext>
)

const APPROVER = anOperator('admin', { approvalActs: ['deletePerson'] })

const approval = (request: ActRequest) =>
  at(
    `/console/approvals/${request.requestUuid}`,
    <Approvals rest={request.requestUuid} />,
    { readActRequest: request },
    APPROVER,
  )

export const SCREENS: Readonly<Record<keyof (typeof GALLERY_SCREENS)['console'], () => ReactNode>> =
  {
    start: at('/console', <Start />),
    'start-support': at(
      '/console',
      <Start />,
      {},
      anOperator('support', {
        roles: [
          { role: 'support', organizationCode: 'HARBORLINE' },
          { role: 'support', organizationCode: 'NORTHGALE' },
        ],
      }),
    ),
    people: at('/console/people?organization=FIGURE', <People rest="" />, PEOPLE),
    'people-empty': at('/console/people?q=no.one%40example.com', <People rest="" />, {
      findPeople: { items: [], next: null },
    }),
    person: at(`/console/people/${LARS.identityUuid}`, <People rest={LARS.identityUuid} />, PEOPLE),
    'person-locked-out': at(
      `/console/people/${LARS.identityUuid}`,
      <People rest={LARS.identityUuid} />,
      { ...PEOPLE, readPerson: LOCKED_OUT },
    ),
    'person-unlock': at(
      `/console/people/${LARS.identityUuid}`,
      <ActDialog
        texts={{
          title: (
            <>
              Unlock <EmailText>{LARS.email}</EmailText>?
            </>
          ),
          consequence: <p>They can log in again. We notify them by mail.</p>,
          button: 'Unlock',
          busyLabel: 'Unlocking…',
        }}
        act={async () => undefined}
        onDone={() => undefined}
        onClose={() => undefined}
      />,
    ),
    insight: at('/console/insight', <Insight />, INSIGHT),
    'insight-divided': at('/console/insight?by=organization', <Insight />, INSIGHT),
    organizations: at('/console/organizations', <Organizations rest="" />, ORGANIZATIONS),
    organization: at(
      '/console/organizations/HARBORLINE',
      <Organizations rest="HARBORLINE" />,
      ORGANIZATIONS,
    ),
    'organization-history': at(
      '/console/organizations/HARBORLINE/history',
      <Organizations rest="HARBORLINE/history" />,
      ORGANIZATIONS,
    ),
    'organizations-empty': at('/console/organizations?search=nowhere', <Organizations rest="" />, {
      listOrganizations: { items: [], next: null },
    }),
    'organizations-failed': at('/console/organizations', <Organizations rest="" />, {
      listOrganizations: refusal('server-fault'),
    }),
    'organizations-loading': at('/console/organizations', <Organizations rest="" />),
    banners: at('/console/banners', <Banners rest="" />, BANNERS),
    banner: at(`/console/banners/${SHOWN.id}`, <Banners rest={SHOWN.id} />, BANNERS),
    'banner-new': at('/console/banners/new', <Banners rest="new" />, BANNERS),
    experiments: at('/console/experiments', <Experiments rest="" />, EXPERIMENTS),
    'experiment-run': at(
      `/console/experiments/${RUN.runId}`,
      <Experiments rest={RUN.runId} />,
      EXPERIMENTS,
    ),
    'experiment-early': at(`/console/experiments/${RUN.runId}`, <Experiments rest={RUN.runId} />, {
      readExperimentResult: EARLY_RESULT,
    }),
    approvals: at('/console/approvals', <Approvals rest="" />, APPROVALS, APPROVER),
    'approvals-all': at('/console/approvals?show=all', <Approvals rest="" />, EARLIER, APPROVER),
    'approvals-empty': at(
      '/console/approvals',
      <Approvals rest="" />,
      { listActRequests: { items: [], next: null } },
      APPROVER,
    ),
    approval: approval(REQUEST),
    'approval-own': approval(OWN_REQUEST),
    'approval-failed': approval(FAILED_REQUEST),
    'approval-expired': approval({ ...REQUEST, state: 'expired', canApprove: false }),
    'act-waits': at(
      `/console/people/${LARS.identityUuid}`,
      <WaitsDialog request={REQUEST} onClose={() => undefined} />,
    ),
    audit: at('/console/audit?organization=FIGURE', <Audit />, AUDIT),
    'audit-empty': at('/console/audit?network=203.0.113.24', <Audit />, {
      searchAudit: { items: [], next: null },
    }),
    operations: at('/console/operations', <Operations />, OPERATIONS),
    operators: at('/console/operators', <Operators />, OPERATORS),
    tokens: at('/console/tokens', <Tokens />, TOKENS),
    'no-grant': noAccess('no-grant'),
    'second-factor': noAccess('second-factor-missing'),
    idle: noAccess('idle'),
  }
