/**
 * A passport's questions as data: sections, pages and fields. Every answer is a string; an empty one means that the field
 * was cleared. Validation is in `rules`, and texts are in the portal.
 */
import type { PassportStructureType } from './passport-status.ts'

/**
 * The first three have their own status (§4.9). The others are the add-ons of a flow request (§3), which are declared but
 * not reviewed.
 */
export const PASSPORT_SECTIONS = [
  'kyc',
  'self-attestation',
  'attestation-verification',
  'suitability',
  '3c1',
  '3c7',
] as const

export type PassportSection = (typeof PASSPORT_SECTIONS)[number]

/** The sections that reviewers decide on. */
export const REVIEWED_SECTIONS: readonly PassportSection[] = [
  'kyc',
  'self-attestation',
  'attestation-verification',
]

/** The section names on pages and in mail. */
export const SECTION_TITLES: Readonly<Record<PassportSection, string>> = {
  kyc: 'Your details',
  'self-attestation': 'Self attestation',
  'attestation-verification': 'Verification of your attestation',
  suitability: 'Suitability questionnaire',
  '3c1': '3(c)(1) declaration',
  '3c7': '3(c)(7) declaration',
}

/** `consent` is answered with `yes`; `country` with an ISO 3166 code. */
type FieldKind =
  | 'consent'
  | 'country'
  | 'date'
  | 'email'
  | 'phone'
  | 'postal-code'
  | 'tax-id'
  | 'text'

export type PassportField = { readonly name: string; readonly isOptional?: true } & (
  | { readonly kind: FieldKind }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
)

export interface PassportFormPage {
  readonly page: string
  readonly fields: readonly PassportField[]
  /** Whether files may be added instead of or in addition to answers. */
  readonly takesEvidence?: true
}

/** The maximum number of fields on a page. */
export const MAX_FIELDS_PER_PAGE = 7

/** The maximum length of an answer. */
export const MAX_ANSWER_LENGTH = 200

/** Replaces the hidden digits of a tax number. */
export const HIDDEN_DIGIT = '•'

const text = (name: string) => ({ name, kind: 'text' }) as const
const choice = (name: string, ...choices: readonly string[]) =>
  ({ name, kind: 'choice', choices }) as const
const consent = (name: string) => ({ name, kind: 'consent' }) as const

const ADDRESS: PassportFormPage = {
  page: 'address',
  fields: [
    { name: 'country', kind: 'country' },
    text('street'),
    { name: 'unit', kind: 'text', isOptional: true },
    text('city'),
    text('region'),
    { name: 'postalCode', kind: 'postal-code' },
  ],
}

const KYC: Readonly<Record<PassportStructureType, readonly PassportFormPage[]>> = {
  INDIVIDUAL: [
    {
      page: 'person',
      fields: [
        text('firstName'),
        text('lastName'),
        { name: 'birthDate', kind: 'date' },
        { name: 'phone', kind: 'phone' },
      ],
    },
    ADDRESS,
    {
      page: 'tax',
      fields: [
        { name: 'citizenship', kind: 'country' },
        { name: 'taxId', kind: 'tax-id' },
      ],
    },
  ],
  ENTITY: [
    {
      page: 'entity',
      fields: [
        text('legalName'),
        choice('entityType', 'corporation', 'llc', 'partnership', 'nonprofit', 'other'),
        { name: 'formedOn', kind: 'date' },
        text('jurisdiction'),
        { name: 'taxId', kind: 'tax-id' },
      ],
    },
    ADDRESS,
    {
      page: 'controller',
      fields: [text('controllerName'), text('controllerTitle'), { name: 'phone', kind: 'phone' }],
    },
  ],
  TRUST: [
    {
      page: 'trust',
      fields: [
        text('legalName'),
        choice('trustType', 'revocable', 'irrevocable'),
        { name: 'formedOn', kind: 'date' },
        text('jurisdiction'),
        { name: 'taxId', kind: 'tax-id' },
      ],
    },
    ADDRESS,
    { page: 'trustee', fields: [text('trusteeName'), { name: 'phone', kind: 'phone' }] },
  ],
}

const ACCREDITATION: Readonly<Record<PassportStructureType, readonly string[]>> = {
  INDIVIDUAL: ['income', 'net-worth', 'license', 'insider'],
  ENTITY: ['assets', 'owners', 'institution'],
  TRUST: ['assets', 'owners'],
}

const QUALIFICATION: Readonly<Record<PassportStructureType, readonly string[]>> = {
  INDIVIDUAL: ['investments'],
  ENTITY: ['family-company', 'institution', 'all-qualified'],
  TRUST: ['trust', 'all-qualified'],
}

/** The pages of a section. */
export function formPages(
  section: PassportSection,
  type: PassportStructureType,
): readonly PassportFormPage[] {
  switch (section) {
    case 'kyc':
      return KYC[type]
    case 'self-attestation':
      return [
        {
          page: 'accreditation',
          fields: [choice('accreditation', ...ACCREDITATION[type]), consent('truthful')],
        },
      ]
    case 'attestation-verification':
      return [
        {
          page: 'evidence',
          takesEvidence: true,
          fields: [
            choice('profession', 'accountant', 'attorney', 'broker-dealer', 'adviser'),
            text('professionalName'),
            text('professionalFirm'),
            { name: 'professionalEmail', kind: 'email' },
            consent('mayContact'),
          ],
        },
      ]
    case 'suitability':
      return [
        {
          page: 'goals',
          fields: [
            choice('objective', 'preservation', 'income', 'growth', 'speculation'),
            choice('horizon', 'under-3-years', '3-to-7-years', 'over-7-years'),
            choice('risk', 'low', 'medium', 'high'),
          ],
        },
        {
          page: 'experience',
          fields: [
            choice('experience', 'none', 'some', 'extensive'),
            choice('shareOfWealth', 'under-10-percent', '10-to-25-percent', 'over-25-percent'),
            choice('liquidity', 'under-1-year', '1-to-5-years', 'not-needed'),
            consent('acceptsLoss'),
          ],
        },
      ]
    case '3c1':
      return [
        {
          page: 'owners',
          fields: [
            // A person was not formed.
            ...(type === 'INDIVIDUAL' ? [] : [choice('formedToInvest', 'no', 'yes')]),
            choice('ownership', 'under-10-percent', '10-percent-or-more'),
            consent('truthful'),
          ],
        },
      ]
    case '3c7':
      return [
        {
          page: 'qualification',
          fields: [choice('qualification', ...QUALIFICATION[type]), consent('truthful')],
        },
      ]
  }
}

/** All fields of a section, in order. */
export function formFields(
  section: PassportSection,
  type: PassportStructureType,
): readonly PassportField[] {
  return formPages(section, type).flatMap(({ fields }) => fields)
}
