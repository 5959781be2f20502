import type { OrganizationDraft } from '@portico/contracts/admin/organizations'
import * as calls from '@portico/contracts/admin/organizations'
import { example } from '../../operations/openapi-example.ts'

const AT = 1_767_225_600_000
const CODE = 'HARBORLINE'
const BRAND = 'bailey.brand@lender.example'
const ADMIN = 'avery.admin@lender.example'
const REASON = 'The lender has a new color.'

const CONTENT = {
  orgCode: CODE,
  orgBrand: 'harborline',
  brandColor: '#7a1f4d',
  companyInfo: { name: 'Harborline' },
}
const DIFFERENCES = [{ field: 'brandColor', before: '#0b4f6c', after: '#7a1f4d' }]
const DRAFT: OrganizationDraft = {
  revision: 1,
  state: 'draft',
  content: CONTENT,
  styleSheet: null,
  author: BRAND,
  savedAt: AT,
  submittedBy: null,
  submittedAt: null,
  note: null,
  differences: DIFFERENCES,
  baseVersion: 0,
}
const ERROR = {
  orgCode: null,
  field: 'companyInfo.termsUrl',
  message: 'must be a path beginning with / or an https address without a password',
}
const FILES = [{ path: 'organizations/harborline.json', content: 'e30K' }]
const ORG_CODE = { description: 'The code of the organization.', example: CODE }
const PUBLISHED = { outcome: 'published', version: 1 } as const

export const ORGANIZATION_EXAMPLES = [
  example(calls.listOrganizations, {
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
  example(calls.readOrganization, {
    query: { orgCode: ORG_CODE },
    response: {
      orgCode: CODE,
      file: { ...CONTENT, brandColor: '#0b4f6c' },
      lockedFields: ['hosts'],
      published: {
        version: 0,
        content: { ...CONTENT, brandColor: '#0b4f6c' },
        styleSheet: null,
      },
      draft: DRAFT,
      effective: { ...CONTENT, brandColor: '#0b4f6c', hosts: [] },
      problems: [],
    },
  }),
  example(calls.saveOrganizationDraft, {
    request: { orgCode: CODE, content: CONTENT, revision: 0, baseVersion: 0 },
    response: { outcome: 'saved', draft: DRAFT, errors: [] },
  }),
  example(calls.validateOrganization, {
    request: { orgCode: CODE, content: CONTENT, styleSheet: 'h1 { letter-spacing: 1px }' },
    response: { errors: [ERROR] },
  }),
  example(calls.previewOrganization, {
    request: { orgCode: CODE, content: CONTENT, scheme: 'dark', mail: 'passcodeMail' },
    response: {
      brand: null,
      mail: { subject: 'Your passcode', html: '<!doctype html>' },
      errors: [ERROR],
    },
  }),
  example(calls.submitOrganizationDraft, {
    request: { orgCode: CODE, revision: 1, note: 'Please look at the logo.' },
    response: {
      draft: {
        ...DRAFT,
        revision: 2,
        state: 'review',
        submittedBy: BRAND,
        submittedAt: AT,
        note: 'Please look at the logo.',
      },
    },
  }),
  example(calls.discardOrganizationDraft, {
    request: { orgCode: CODE, revision: 1, reason: 'The lender keeps its color.' },
  }),
  example(calls.publishOrganization, {
    request: { orgCode: CODE, revision: 2, reason: REASON },
    response: PUBLISHED,
  }),
  example(calls.readOrganizationHistory, {
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
          reason: REASON,
          restores: null,
          differences: DIFFERENCES,
        },
      ],
      next: null,
    },
  }),
  example(calls.undoOrganization, {
    request: { orgCode: CODE, version: 0, current: 1, reason: 'The logo is not visible.' },
    response: { outcome: 'published', version: 2 },
  }),
  example(calls.exportOrganization, {
    query: { orgCode: ORG_CODE },
    response: { files: FILES },
  }),
  example(calls.importOrganizations, {
    request: { files: FILES },
    response: {
      items: [{ path: 'organizations/harborline.json', orgCode: CODE, isSaved: true, errors: [] }],
    },
  }),
  example(calls.uploadOrganizationPicture, {
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
]
