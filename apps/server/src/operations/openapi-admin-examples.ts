/** The examples of the admin API. */
import type { ActRequestItem } from '@portico/contracts/admin/act-requests'
import * as actRequests from '@portico/contracts/admin/act-requests'
import * as audit from '@portico/contracts/admin/audit'
import type { BannerContent, BannerItem } from '@portico/contracts/admin/banners'
import * as banners from '@portico/contracts/admin/banners'
import type { Run } from '@portico/contracts/admin/experiments'
import * as experiments from '@portico/contracts/admin/experiments'
import * as insight from '@portico/contracts/admin/insight'
import * as operations from '@portico/contracts/admin/operations'
import * as operators from '@portico/contracts/admin/operators'
import type { OrganizationDraft } from '@portico/contracts/admin/organizations'
import * as organizations from '@portico/contracts/admin/organizations'
import * as people from '@portico/contracts/admin/people'
import type { ApprovalNeeded } from '@portico/contracts/admin/second-operator'
import { example } from './openapi-example.ts'

const AT = 1_767_225_600_000
const CODE = 'HARBORLINE'
const BRAND = 'bailey.brand@lender.example'
const ADMIN = 'avery.admin@lender.example'

const TOKEN_UUID = '3b2a1908-f7e6-4d5c-8b4a-392817065f61'

const ORGANIZATION_REASON = 'The lender has a new color.'

const ORGANIZATION = {
  orgCode: CODE,
  orgBrand: 'harborline',
  brandColor: '#7a1f4d',
  companyInfo: { name: 'Harborline' },
}
const ORGANIZATION_DIFFERENCES = [{ field: 'brandColor', before: '#0b4f6c', after: '#7a1f4d' }]
const ORGANIZATION_DRAFT: OrganizationDraft = {
  revision: 1,
  state: 'draft',
  content: ORGANIZATION,
  styleSheet: null,
  author: BRAND,
  savedAt: AT,
  submittedBy: null,
  submittedAt: null,
  note: null,
  differences: ORGANIZATION_DIFFERENCES,
  baseVersion: 0,
}
const ORGANIZATION_ERROR = {
  orgCode: null,
  field: 'companyInfo.termsUrl',
  message: 'must be a path beginning with / or an https address without a password',
}
const ORGANIZATION_FILES = [{ path: 'organizations/harborline.json', content: 'e30K' }]
const ORG_CODE = { description: 'The code of the organization.', example: CODE }
const ORGANIZATION_PUBLISHED = { outcome: 'published', version: 1 } as const

const IDENTITY_UUID = '0d3f1f8e-52a4-4f3b-8a7f-6b1f0a4f9e21'
const MESSAGE_UUID = '5d1f6a0e-3c1b-4e0a-9a52-0f9d4f2f7c11'
const EMAIL = 'avery.borrower@example.com'
const WALLET_ADDRESS = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'

const PERSON = {
  identityUuid: IDENTITY_UUID,
  email: EMAIL,
  name: null,
  organizationCode: 'HARBORLINE',
  profileType: 'CUSTOMER',
  lockedAt: AT,
  createdAt: AT,
} as const

const TARGET = { identityUuid: IDENTITY_UUID, reason: 'Called, and answered the questions.' }
const CHANGED = { response: { changed: true } }

const BANNER_ID = '0d6b1c52-7c1f-4a3e-8a62-5f0f1a9c3e77'
const BANNER_REASON = 'The maintenance is announced a week ahead.'

const BANNER: BannerContent = {
  message: 'Planned maintenance on Saturday from 2 to 4 am Eastern.',
  apps: ['login', 'dashboard'],
  variant: 'warn',
  dismissable: true,
  startsAt: AT,
  endsAt: AT + 86_400_000,
  organizationCodes: ['HARBORLINE'],
}
const BANNER_ITEM: BannerItem = {
  id: BANNER_ID,
  origin: 'console',
  version: 1,
  published: BANNER,
  isShown: true,
  draft: null,
}
const OF_BANNER = { description: 'The UUID of the banner.', example: BANNER_ID }

const RUN: Run = {
  runId: '4e6f7a8b-9c0d-4e1f-8a2b-3c4d5e6f7a81',
  key: 'partner-simplified-onboarding',
  split: { percent: 50, organizations: [CODE], outcome: 'onboarding' },
  state: 'running',
  startsAt: AT,
  stopsAt: null,
  endedAt: null,
  afterwards: null,
  createdAt: AT,
  reason: 'Fewer steps may bring more partners to the end.',
  endReason: null,
}
const OF_RUN = { runId: { description: 'The run.', example: RUN.runId } }

const INSIGHT_QUERY = {
  from: { description: 'The first day, in UTC.', example: '2026-01-01' },
  to: { description: 'The last day, in UTC.', example: '2026-01-02' },
  organizationCode: { description: 'One organization; by default all.', example: CODE },
  label: { description: 'One label of pages; by default all.', example: 'apollo' },
  device: { description: 'One kind of device; by default all.', example: 'phone' },
}
const FUNNEL_QUERY = {
  ...INSIGHT_QUERY,
  funnel: { description: 'The funnel.', example: 'registration' },
}
const SERIES_QUERY = {
  ...INSIGHT_QUERY,
  metric: { description: 'What is counted.', example: 'signed-in' },
  by: { description: 'One series for each of these; by default one of all.', example: 'device' },
}

const AUDIT_QUERY = {
  identityUuid: { description: 'The person that the lines are about.', example: IDENTITY_UUID },
  operatorId: {
    description: 'The identity or the service token of the operator.',
    example: TOKEN_UUID,
  },
  kind: { description: 'The kind of the lines.', example: 'person-locked' },
  organizationCode: { description: 'One organization; by default all.', example: CODE },
  network: { description: 'The network of the caller.', example: '203.0.113.0/24' },
  from: { description: 'The first time, in epoch milliseconds.', example: `${AT}` },
  until: {
    description: 'The time after the last, in epoch milliseconds.',
    example: `${AT + 86_400_000}`,
  },
}

const REQUEST_UUID = '2c7a9d10-5b3e-4f86-9a41-c8d06e2b7f35'
const REQUEST = { description: 'The ID of the request.', example: REQUEST_UUID }

/** The response to an act that needs a second operator. */
export const APPROVAL_NEEDED: ApprovalNeeded = {
  outcome: 'approval-needed',
  requestUuid: REQUEST_UUID,
  expiresAt: AT + 86_400_000,
}

const ACT_REQUEST: ActRequestItem = {
  requestUuid: REQUEST_UUID,
  act: 'deletePerson',
  subject: EMAIL,
  organizationCodes: [CODE],
  reason: 'Asked by letter to be deleted.',
  requestedBy: 'sasha.support@lender.example',
  requesterKind: 'person',
  isOwn: false,
  createdAt: AT,
  expiresAt: AT + 86_400_000,
  state: 'waiting',
  decidedBy: null,
  decidedAt: null,
  decisionReason: null,
  failure: null,
}

const DECISION = { requestUuid: REQUEST_UUID, reason: 'The letter is signed.' }
const DECIDED = {
  ...ACT_REQUEST,
  decidedBy: ADMIN,
  decidedAt: AT + 60_000,
  decisionReason: DECISION.reason,
}

export const ADMIN_EXAMPLES = [
  example(actRequests.listActRequests, {
    query: {
      state: { description: 'Only those that wait.', example: 'waiting' },
      after: { description: '`next` of the page before.', example: `${AT}.${MESSAGE_UUID}` },
      limit: { description: 'The most items; by default 50.', example: '20' },
    },
    response: { items: [ACT_REQUEST], next: null },
  }),
  example(actRequests.readActRequest, {
    query: { requestUuid: REQUEST },
    response: {
      ...ACT_REQUEST,
      input: { identityUuid: IDENTITY_UUID, email: EMAIL, reason: ACT_REQUEST.reason },
      canApprove: true,
      obstacle: null,
      answer: null,
    },
  }),
  example(actRequests.approveActRequest, {
    request: DECISION,
    response: { ...DECIDED, state: 'done' },
  }),
  example(actRequests.declineActRequest, {
    request: DECISION,
    response: { ...DECIDED, state: 'declined' },
  }),
  example(actRequests.withdrawActRequest, {
    request: DECISION,
    response: { ...DECIDED, decidedBy: null, isOwn: true, state: 'withdrawn' },
  }),
  example(operators.readOperator, {
    response: {
      kind: 'person',
      name: 'avery.admin@lender.example',
      access: 'granted',
      roles: [{ role: 'support', organizationCode: 'HARBORLINE' }],
      permissions: [
        { permission: 'people.read', scope: { organizationCodes: ['HARBORLINE'] } },
        { permission: 'people.write', scope: { organizationCodes: ['HARBORLINE'] } },
      ],
      organizations: [{ organizationCode: 'HARBORLINE', name: 'Harborline' }],
      approvalActs: ['deletePerson'],
      confirmedUntil: AT + 300_000,
      idleAt: AT + 900_000,
    },
  }),
  example(operators.listOperators, {
    query: {
      after: { description: '`next` of the page before.', example: 'YWRhQGV4YW1wbGUuY29t' },
      limit: { description: 'The most items; by default 50.', example: '20' },
    },
    response: {
      items: [
        {
          identityUuid: IDENTITY_UUID,
          email: 'bram.brand@example.com',
          roles: [{ role: 'brand', organizationCode: 'HARBORLINE' }],
        },
      ],
      next: null,
    },
  }),
  example(operators.grantRole, {
    request: {
      email: 'bram.brand@example.com',
      role: 'brand',
      organizationCodes: ['HARBORLINE'],
      reason: 'Looks after the brand.',
    },
    response: { changed: true, hasFactor: true },
  }),
  example(operators.revokeRole, {
    request: {
      identityUuid: IDENTITY_UUID,
      role: 'brand',
      organizationCode: 'HARBORLINE',
      reason: 'Left the team.',
    },
    response: { changed: true },
  }),
  example(operators.listServiceTokens, {
    query: {
      after: { description: '`next` of the page before.', example: `${AT}.${TOKEN_UUID}` },
      limit: { description: 'The most items; by default 50.', example: '20' },
    },
    response: {
      items: [
        {
          tokenUuid: TOKEN_UUID,
          name: 'crm-sync',
          permissions: ['people.read'],
          organizationCodes: ['HARBORLINE'],
          createdAt: AT,
          expiresAt: AT + 7_776_000_000,
          lastUsedAt: null,
          revokedAt: null,
        },
      ],
      next: null,
    },
  }),
  example(operators.createServiceToken, {
    request: {
      name: 'crm-sync',
      permissions: ['people.read'],
      organizationCodes: ['HARBORLINE'],
      days: 90,
      reason: 'The customer records are compared at night.',
    },
    response: {
      tokenUuid: TOKEN_UUID,
      token: 'ptk_Q2hvb3NlWW91ck93blNlY3JldEFuZEtlZXBJdFNhZmU',
      expiresAt: AT + 7_776_000_000,
    },
  }),
  example(operators.revokeServiceToken, {
    request: { tokenUuid: TOKEN_UUID, reason: 'The program was replaced.' },
    response: { changed: true },
  }),

  example(organizations.listOrganizations, {
    query: {
      search: { description: 'A part of the code, the name or a host.', example: 'harbor' },
      after: { description: '`next` of the page before.', example: 'GRUENWALD' },
    },
    response: {
      items: [
        {
          orgCode: CODE,
          name: 'Harborline',
          brandColor: '#0b4f6c',
          hasFile: true,
          isLocked: false,
          version: 0,
          isRejected: false,
          draft: { state: 'draft', author: BRAND, savedAt: AT },
        },
      ],
      next: null,
    },
  }),
  example(organizations.readOrganization, {
    query: { orgCode: ORG_CODE },
    response: {
      orgCode: CODE,
      file: { ...ORGANIZATION, brandColor: '#0b4f6c' },
      lockedFields: ['hosts'],
      published: {
        version: 0,
        content: { ...ORGANIZATION, brandColor: '#0b4f6c' },
        styleSheet: null,
      },
      draft: ORGANIZATION_DRAFT,
      effective: { ...ORGANIZATION, brandColor: '#0b4f6c', hosts: [] },
      problems: [],
    },
  }),
  example(organizations.saveOrganizationDraft, {
    request: { orgCode: CODE, content: ORGANIZATION, revision: 0, baseVersion: 0 },
    response: { outcome: 'saved', draft: ORGANIZATION_DRAFT, errors: [] },
  }),
  example(organizations.validateOrganization, {
    request: { orgCode: CODE, content: ORGANIZATION, styleSheet: 'h1 { letter-spacing: 1px }' },
    response: { errors: [ORGANIZATION_ERROR] },
  }),
  example(organizations.previewOrganization, {
    request: { orgCode: CODE, content: ORGANIZATION, scheme: 'dark', mail: 'passcodeMail' },
    response: {
      brand: null,
      mail: { subject: 'Your passcode', html: '<!doctype html>', text: 'Your passcode is 123456.' },
      errors: [ORGANIZATION_ERROR],
    },
  }),
  example(organizations.submitOrganizationDraft, {
    request: { orgCode: CODE, revision: 1, note: 'Please look at the logo.' },
    response: {
      draft: {
        ...ORGANIZATION_DRAFT,
        revision: 2,
        state: 'review',
        submittedBy: BRAND,
        submittedAt: AT,
        note: 'Please look at the logo.',
      },
    },
  }),
  example(organizations.discardOrganizationDraft, {
    request: { orgCode: CODE, revision: 1, reason: 'The lender keeps its color.' },
  }),
  example(organizations.publishOrganization, {
    request: { orgCode: CODE, revision: 2, reason: ORGANIZATION_REASON },
    response: ORGANIZATION_PUBLISHED,
  }),
  example(organizations.readOrganizationHistory, {
    query: {
      orgCode: ORG_CODE,
      after: { description: '`next` of the page before.', example: '21' },
    },
    response: {
      items: [
        {
          version: 1,
          author: BRAND,
          submittedBy: BRAND,
          publishedBy: ADMIN,
          publishedAt: AT,
          reason: ORGANIZATION_REASON,
          restores: null,
          differences: ORGANIZATION_DIFFERENCES,
        },
      ],
      next: null,
    },
  }),
  example(organizations.undoOrganization, {
    request: { orgCode: CODE, version: 0, current: 1, reason: 'The logo is not visible.' },
    response: { outcome: 'published', version: 2 },
  }),
  example(organizations.exportOrganization, {
    query: { orgCode: ORG_CODE },
    response: { files: ORGANIZATION_FILES },
  }),
  example(organizations.importOrganizations, {
    request: { files: ORGANIZATION_FILES },
    response: {
      items: [{ path: 'organizations/harborline.json', orgCode: CODE, isSaved: true, errors: [] }],
    },
  }),
  example(organizations.uploadOrganizationPicture, {
    request: new Uint8Array(),
    query: {
      orgCode: ORG_CODE,
      type: { description: 'The format of the picture.', example: 'svg' },
    },
    response: {
      outcome: 'stored',
      path: '/brand/harborline-3f9c0d2b7a6e4c1f8d5b0a9e7c6f4d21.svg',
    },
  }),

  example(people.findPeople, {
    query: {
      search: {
        description: 'A whole e-mail address, phone number, ID, or address of a wallet or account.',
        example: EMAIL,
      },
      match: {
        description:
          '`part` also finds people by the beginning, of at least three characters, of their e-mail address, its domain, the rest of it after its first `.`, `_`, `+` or `-`, or their name; by default `exact`.',
        example: 'exact',
      },
      organizationCode: { description: 'One organization; by default all.', example: 'HARBORLINE' },
      after: { description: '`next` of the page before.', example: `${AT}.${IDENTITY_UUID}` },
      limit: { description: 'The most items; by default 50.', example: '20' },
    },
    response: { items: [PERSON], next: null },
  }),
  example(people.readPerson, {
    query: { identityUuid: { description: 'The person.', example: IDENTITY_UUID } },
    response: {
      ...PERSON,
      updatedAt: AT,
      isOperator: false,
      attempts: { wrong: 0, lockedUntil: null, isSecondStepClosed: false },
      directoryLocks: [],
      factors: {
        hasPassword: true,
        passwordExpired: false,
        email: false,
        totp: true,
        phones: [{ value: '+12015550142', verifiedAt: AT }],
        passkeys: [],
        questions: 0,
        recoveryCodesLeft: 8,
        providers: [],
      },
      sessions: [],
      devices: [{ firstSeenAt: AT, lastSeenAt: AT, trustedUntil: null }],
      wallets: [{ address: WALLET_ADDRESS, name: 'Everyday', type: 'FIGURE', verifiedAt: AT }],
      accounts: [],
      passports: [],
      roles: [],
      messages: [
        {
          messageUuid: MESSAGE_UUID,
          channel: 'email',
          kind: 'passcode',
          createdAt: AT,
          state: 'waiting',
          attempts: 3,
        },
      ],
      events: [
        {
          at: AT,
          kind: 'person-locked',
          network: '203.0.113.0/24',
          operator: 'sam.support@lender.example',
          reason: 'Reported a stolen phone.',
        },
      ],
    },
  }),
  example(people.unlockPerson, { request: TARGET, ...CHANGED }),
  example(people.lockPerson, { request: TARGET, ...CHANGED }),
  example(people.endPersonSessions, { request: TARGET, ...CHANGED }),
  example(people.resetPersonFactor, { request: { ...TARGET, factor: 'totp' }, ...CHANGED }),
  example(people.changePersonOrganization, {
    request: { ...TARGET, organizationCode: 'FIGURE' },
    ...CHANGED,
  }),
  example(people.resendPersonMessage, {
    request: { ...TARGET, messageUuid: MESSAGE_UUID },
    ...CHANGED,
  }),
  example(people.impersonatePerson, {
    request: TARGET,
    response: { jwt: 'eyJ…', sessionUuid: MESSAGE_UUID, endsAt: AT + 1_800_000 },
  }),
  example(people.exportPerson, {
    request: TARGET,
    response: {
      exportedAt: '2026-01-01T00:00:00.000Z',
      identity: {
        uuid: IDENTITY_UUID,
        email: EMAIL,
        organizationCode: 'HARBORLINE',
        profileType: 'CUSTOMER',
        givenName: null,
        familyName: null,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
        hasPassword: true,
        aliases: [{ type: 'Email', value: EMAIL }],
      },
      security: {
        emailFactorEnabled: false,
        totpEnabled: false,
        recoveryQuestions: [],
        recoveryCodesLeft: 0,
        passkeys: [],
        identityProviders: [],
        sessions: [],
      },
      wallets: [],
      organizationAccounts: [],
      passports: [],
      walletRequests: [],
      arrivedWith: null,
      events: [],
    },
  }),
  example(people.deletePerson, {
    request: { ...TARGET, email: EMAIL, deleteHostedWallets: true },
    ...CHANGED,
  }),

  example(banners.listBanners, {
    query: { after: { description: '`next` of the page before.', example: BANNER_ID } },
    response: { items: [BANNER_ITEM], next: null },
  }),
  example(banners.saveBannerDraft, {
    request: { id: BANNER_ID, content: BANNER, revision: 0, baseVersion: 0 },
    response: { outcome: 'saved', revision: 1, errors: [] },
  }),
  example(banners.discardBannerDraft, { request: { id: BANNER_ID, revision: 1 } }),
  example(banners.publishBanner, {
    request: { id: BANNER_ID, revision: 1, showAgain: true, reason: BANNER_REASON },
    response: { outcome: 'published', version: 1 },
  }),
  example(banners.endBanner, {
    request: { id: BANNER_ID, version: 1, reason: 'The maintenance is done.' },
    response: { version: 2 },
  }),
  example(banners.readBannerHistory, {
    query: { id: OF_BANNER },
    response: {
      items: [
        {
          version: 1,
          content: BANNER,
          author: BRAND,
          publishedBy: BRAND,
          publishedAt: AT,
          reason: BANNER_REASON,
        },
      ],
    },
  }),
  example(banners.exportBanners, { response: { banners: [] } }),

  example(experiments.listExperiments, {
    response: {
      items: [
        {
          key: RUN.key,
          file: { description: 'Partners answer fewer questions.', on: true, percent: 10 },
          runs: [RUN],
        },
      ],
    },
  }),
  example(experiments.startExperiment, {
    request: { key: RUN.key, split: RUN.split, reason: RUN.reason },
    response: RUN,
  }),
  example(experiments.endExperiment, {
    request: { runId: RUN.runId, afterwards: 'everyone', reason: 'It won.' },
    response: {
      ...RUN,
      state: 'ended',
      endedAt: AT + 1_209_600_000,
      afterwards: 'everyone',
      endReason: 'It won.',
    },
  }),
  example(experiments.readExperimentResult, {
    query: OF_RUN,
    response: {
      run: RUN,
      verdict: { kind: 'no-difference-yet', arm: null },
      arms: [
        { name: 'off', percent: 50, visitors: 1000, outcomes: 400, rate: 0.4, effect: null },
        {
          name: 'on',
          percent: 50,
          visitors: 1000,
          outcomes: 420,
          rate: 0.42,
          effect: { difference: 0.02, from: -0.05, to: 0.09 },
        },
      ],
      leftOutExposures: 0,
      otherOutcomes: [{ outcome: 'sign-in', arm: 'on', outcomes: 610 }],
    },
  }),

  example(insight.readFunnel, {
    query: FUNNEL_QUERY,
    response: {
      steps: [
        { step: 'registration-page', count: 480, before: 440 },
        { step: 'registered', count: 312, before: 330 },
        { step: 'password-chosen', count: 287, before: 301 },
      ],
      reasons: [
        {
          reason: 'code-wrong',
          message: 'The passcode is incorrect. Please check it and try again.',
          count: 91,
          before: 40,
        },
      ],
      countedUntil: AT,
    },
  }),
  example(insight.readSeries, {
    query: SERIES_QUERY,
    response: {
      resolution: 'day',
      times: [AT, AT + 86_400_000],
      series: [
        { name: 'phone', counts: [120, 131], before: [110, 118], total: 251, totalBefore: 228 },
      ],
      countedUntil: AT + 172_800_000,
    },
  }),
  example(insight.exportFunnel, { query: FUNNEL_QUERY, response: new Uint8Array() }),
  example(insight.exportSeries, { query: SERIES_QUERY, response: new Uint8Array() }),

  example(operations.readOperations, {
    response: {
      nodes: [
        {
          nodeId: '2f9c0a4e-1d7b-4a6c-9e35-8b1f6d2c7a90',
          version: '0.1.0',
          startedAt: AT,
          seenAt: AT + 60_000,
          relay: { connections: 214, topics: 230, waitingTopics: 3 },
          redis: 'ready',
        },
      ],
      database: { engine: 'postgresql', latencyMs: 0.8 },
      outbox: { email: { waiting: 2, since: AT }, sms: { waiting: 0, since: null } },
      webhooks: { waiting: 0, since: null, failing: 0, disabled: 0 },
      rateLimits: [{ limit: 'login', refused: 412, lastHour: AT - (AT % 3_600_000) }],
      certificates: [
        { organizationCode: CODE, provider: 'Harborline ID', expiresAt: AT + 2_592_000_000 },
      ],
      directoryRefusals: [
        {
          organizationCode: CODE,
          provider: 'Harborline ID',
          method: 'PATCH',
          resource: 'Users',
          reason: 'invalidValue',
          attribute: 'emails',
          isDepartureApplied: true,
          refused: 3,
          lastAt: AT,
        },
      ],
    },
  }),
  example(operations.listWaitingMessages, {
    query: {
      after: { description: '`next` of the page before.', example: `${AT}.${MESSAGE_UUID}` },
    },
    response: {
      items: [
        {
          messageUuid: MESSAGE_UUID,
          channel: 'email',
          kind: 'passcodeMail',
          recipient: 'l…@example.com',
          createdAt: AT,
          attempts: 3,
          nextAttemptAt: AT + 240_000,
        },
      ],
      next: null,
    },
  }),
  example(operations.retryMessages, {
    request: { reason: 'The mail server is back.' },
    response: { changed: 2 },
  }),
  example(audit.listAuditKinds, { response: { kinds: ['account-deleted', 'signed-in'] } }),
  example(audit.searchAudit, {
    query: {
      ...AUDIT_QUERY,
      after: { description: '`next` of the page before.', example: `${AT}.${MESSAGE_UUID}` },
      limit: { description: 'The most items; by default 50.', example: '20' },
    },
    response: {
      items: [
        {
          id: 'a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d',
          at: AT,
          kind: 'person-locked',
          identityUuid: IDENTITY_UUID,
          person: 'lars.locked@portico.example',
          organizationCode: CODE,
          network: '203.0.113.0/24',
          operatorId: TOKEN_UUID,
          operator: 'support-desk',
          details: '{"reason":"Reported a stolen phone."}',
          sequence: 4812,
        },
      ],
      next: null,
    },
  }),
  example(audit.exportAudit, {
    query: { ...AUDIT_QUERY, format: { description: 'The format of the file.', example: 'csv' } },
    response: new Uint8Array(),
  }),
]
