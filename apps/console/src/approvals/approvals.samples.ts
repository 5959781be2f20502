/** Answers for the gallery and tests. */
import type { ActRequest, ActRequestItem } from '@portico/contracts/admin/act-requests'

const AT = Date.UTC(2026, 10, 23, 13, 5)
const DAY_MS = 86_400_000

const ITEM: ActRequestItem = {
  requestUuid: '2c7a9d10-5b3e-4f86-9a41-c8d06e2b7f35',
  act: 'deletePerson',
  subject: 'lars.locked@portico.example',
  organizationCodes: ['FIGURE'],
  reason: 'Asked by letter of November 20 to be deleted.',
  requestedBy: 'sam.support@portico.example',
  requesterKind: 'person',
  isOwn: false,
  createdAt: AT,
  expiresAt: AT + DAY_MS,
  state: 'waiting',
  decidedBy: null,
  decidedAt: null,
  decisionReason: null,
  failure: null,
}

const decided = {
  decidedBy: 'ada.admin@portico.example',
  decidedAt: AT + 1_800_000,
}

export const REQUEST: ActRequest = {
  ...ITEM,
  input: {
    identityUuid: '0f0c9a52-6a3f-4e4e-9c53-61f0a7d3b201',
    email: ITEM.subject,
    deleteHostedWallets: true,
    reason: ITEM.reason,
  },
  canApprove: true,
  obstacle: null,
  answer: null,
}

export const OWN_REQUEST: ActRequest = { ...REQUEST, isOwn: true, canApprove: false }

/** A request for a publication whose draft was saved again. */
export const FAILED_REQUEST: ActRequest = {
  ...REQUEST,
  ...decided,
  requestUuid: '3d8b0e21-6c4f-4a97-8b52-d9e17f3c8046',
  act: 'publishOrganization',
  subject: 'HARBORLINE',
  organizationCodes: ['HARBORLINE'],
  reason: 'The lender has a new color.',
  requestedBy: 'bea.brand@portico.example',
  state: 'failed',
  decisionReason: 'Looks right.',
  failure: 'edit-outdated',
  input: { orgCode: 'HARBORLINE', revision: 3, reason: 'The lender has a new color.' },
  canApprove: false,
}

export const APPROVALS = {
  listActRequests: {
    items: [
      ITEM,
      {
        ...ITEM,
        requestUuid: '4e9c1f32-7d50-4ba8-9c63-eaf28a4d9157',
        act: 'grantRole',
        subject: 'maximiliane.hohenstein@longest-mail-domain.example',
        organizationCodes: ['HARBORLINE', 'NORTHGALE'],
        requestedBy: 'ada.admin@portico.example',
        isOwn: true,
      },
      {
        ...ITEM,
        requestUuid: '5fad2043-8e61-4cb9-8d74-fb039b5ea268',
        act: 'publishBanner',
        subject: 'Planned maintenance on Saturday from 2 to 4 am Eastern.',
        organizationCodes: ['*'],
        requestedBy: 'status-page',
        requesterKind: 'token',
      },
    ] satisfies ActRequestItem[],
    next: null,
  },
  readActRequest: REQUEST,
}

/** Requests that are no longer waiting. */
export const EARLIER = {
  listActRequests: {
    items: [
      ...APPROVALS.listActRequests.items.slice(0, 1),
      { ...FAILED_REQUEST },
      { ...ITEM, ...decided, requestUuid: '60be3154-9f72-4dca-9e85-0c14ac6fb379', state: 'done' },
      {
        ...ITEM,
        ...decided,
        requestUuid: '71cf4265-a083-4edb-8f96-1d25bd70c48a',
        act: 'lockPerson',
        state: 'declined',
      },
      {
        ...ITEM,
        requestUuid: '82d05376-b194-4fec-90a7-2e36ce81d59b',
        act: 'resetPersonFactor',
        state: 'withdrawn',
      },
      {
        ...ITEM,
        requestUuid: '93e16487-c2a5-40fd-81b8-3f47df92e6ac',
        act: 'endBanner',
        subject: 'Offices are closed on Monday.',
        state: 'expired',
      },
    ] satisfies ActRequestItem[],
    next: null,
  },
}
