/** Answers for the gallery and tests. */
import type { OrganizationDraft, OrganizationView } from '@portico/contracts/admin/organizations'
import { pageData } from '@portico/shell/testing'

const AT = Date.UTC(2026, 10, 23, 9, 41)

const CONTENT = {
  orgCode: 'HARBORLINE',
  orgBrand: 'harborline',
  brandColor: '#9a3412',
  hosts: ['login.harborline.example'],
  companyInfo: {
    name: 'Harborline Mortgage',
    legalName: 'Harborline Mortgage Company Inc.',
    logoPath: '/brand/harborline.svg',
    supportPhone: '8005550162',
    badge: 'EHO',
  },
}

export const DRAFT: OrganizationDraft = {
  revision: 3,
  state: 'draft',
  content: { ...CONTENT, brandColor: '#0f766e' },
  styleSheet: null,
  author: 'bea.brand@portico.example',
  savedAt: AT,
  submittedBy: null,
  submittedAt: null,
  note: null,
  differences: [{ field: 'brandColor', before: '#9a3412', after: '#0f766e' }],
  baseVersion: 2,
}

const VIEW: OrganizationView = {
  orgCode: 'HARBORLINE',
  file: CONTENT,
  lockedFields: ['hosts'],
  published: { version: 2, content: CONTENT, styleSheet: null },
  draft: DRAFT,
  effective: { ...CONTENT, companyInfo: { ...CONTENT.companyInfo, nmlsNumber: '2200311' } },
  problems: [],
}

const { organization, ...page } = pageData()

/** The theme of the sample, as the server derives it. */
const CSS = `@layer brand { :root { --panel: #134e4a; --on-panel: #ffffff; --brand: #0f766e; --on-brand: #ffffff; --brand-text: #0f766e } }`

export const ORGANIZATIONS = {
  listOrganizations: {
    items: [
      ['ALDERVANE', 'Alder & Vane', '#14532d', 0, null],
      ['FIGURE', 'Figure', '#3a4556', 12, null],
      ['HARBORLINE', 'Harborline Mortgage', '#9a3412', 2, 'draft'],
      ['NORTHGALE', 'Northgale Savings and Home Loan Association', '#1d4ed8', 4, 'review'],
    ].map(([orgCode, name, brandColor, version, state]) => ({
      orgCode,
      name,
      brandColor,
      hasFile: true,
      isLocked: false,
      version,
      isRejected: false,
      draft: state && { state, author: 'bea.brand@portico.example', savedAt: AT },
    })),
    next: 'NORTHGALE',
  },
  readOrganization: VIEW,
  previewOrganization: {
    brand: {
      name: 'Harborline Mortgage',
      css: CSS,
      page: {
        ...page,
        organization: {
          ...organization,
          orgMetaData: {
            ...organization.orgMetaData,
            companyInfo: {
              ...organization.orgMetaData.companyInfo,
              name: 'Harborline Mortgage',
              legalName: 'Harborline Mortgage Company Inc.',
              logoPath: '/brand/harborline.svg',
            },
          },
        },
      },
    },
    mail: null,
    errors: [],
  },
  readOrganizationHistory: {
    items: [2, 1].map((version) => ({
      version,
      author: 'bea.brand@portico.example',
      submittedBy: null,
      publishedBy: 'admin.operator@portico.example',
      publishedAt: AT - version * 86_400_000,
      reason: version === 2 ? 'New support phone since the move' : 'First edit in the console',
      restores: null,
      differences: [
        { field: 'companyInfo.supportPhone', before: '8005550160', after: '8005550162' },
      ],
    })),
    next: null,
  },
}
