/** Texts of the investor passport. */

import type { Passport, PassportMember } from '@portico/contracts/passport'
import type { PassportStatus, PassportStructureType } from '@portico/contracts/passport-status'
import { countryName, formatDate } from '@portico/rules/format'

const PAGE_TITLES: Readonly<Record<string, string>> = {
  person: 'About you',
  entity: 'About the company',
  trust: 'About the trust',
  address: 'Address',
  tax: 'Tax',
  controller: 'Who controls the company',
  trustee: 'Trustee',
  accreditation: 'Accreditation',
  evidence: 'Proof of your attestation',
  goals: 'Your goals',
  experience: 'Your experience',
  owners: '3(c)(1) declaration',
  qualification: '3(c)(7) declaration',
}

/** Why the form asks for a page's answers. */
const PAGE_REASONS: Readonly<Record<string, string>> = {
  person: 'By law we need to know who invests.',
  entity: 'By law we need to know which company invests.',
  trust: 'By law we need to know which trust invests.',
  address: 'Use the address on your official documents, not a PO box.',
  tax: 'We use your tax number for tax reporting and check it against public records.',
  controller: 'The person who manages or directs the company.',
  accreditation: 'Some offers are open to accredited investors only. Choose what applies.',
  evidence: 'Add files, or name a professional who can confirm it. They reply directly to us.',
  goals: 'There are no wrong answers. Your answers show whether an offer suits you.',
  experience: 'There are no wrong answers. Your answers show whether an offer suits you.',
  owners: 'Funds of this kind have few owners, so they ask about yours.',
  qualification: 'Funds of this kind are open to qualified purchasers only.',
}

interface FieldTexts {
  readonly label: string
  readonly hint?: string
  readonly autoComplete?: string
}

const FIELDS: Readonly<Record<string, FieldTexts>> = {
  firstName: { label: 'First name', hint: 'As on your ID', autoComplete: 'given-name' },
  lastName: { label: 'Last name', autoComplete: 'family-name' },
  birthDate: { label: 'Date of birth', autoComplete: 'bday' },
  phone: { label: 'Phone number', autoComplete: 'tel' },
  legalName: { label: 'Legal name', hint: 'As registered', autoComplete: 'organization' },
  entityType: { label: 'Type of company' },
  trustType: { label: 'Type of trust' },
  formedOn: { label: 'Date of formation' },
  jurisdiction: { label: 'Where it was formed', hint: 'State or country' },
  country: { label: 'Country', autoComplete: 'country' },
  street: { label: 'Street address', autoComplete: 'address-line1' },
  unit: { label: 'Apartment or unit (optional)', autoComplete: 'address-line2' },
  city: { label: 'City', autoComplete: 'address-level2' },
  region: { label: 'State or region', autoComplete: 'address-level1' },
  postalCode: { label: 'Postal code', autoComplete: 'postal-code' },
  citizenship: { label: 'Country of citizenship' },
  taxId: { label: 'Tax number', hint: 'In the United States: SSN, ITIN or EIN. Stored encrypted.' },
  controllerName: { label: 'Name' },
  controllerTitle: { label: 'Position' },
  trusteeName: { label: 'Name of the trustee' },
  accreditation: { label: 'Which of these applies?' },
  truthful: { label: 'I confirm that this is true. I will tell you if it changes.' },
  profession: { label: 'Profession' },
  professionalName: { label: 'Name' },
  professionalFirm: { label: 'Firm' },
  professionalEmail: { label: 'Email' },
  mayContact: { label: 'You may contact this person about my attestation.' },
  objective: { label: 'What matters most to you?' },
  horizon: { label: 'How long do you plan to invest?' },
  risk: { label: 'How much risk are you willing to take?' },
  experience: { label: 'How much experience do you have with private investments?' },
  shareOfWealth: { label: 'How much of your wealth would you invest this way?' },
  liquidity: { label: 'When might you need the money back?' },
  acceptsLoss: { label: 'I understand that I can lose everything that I invest.' },
  formedToInvest: { label: 'Were you formed to make this investment?' },
  ownership: { label: 'How much of the fund would you own?' },
  qualification: { label: 'Which of these applies?' },
}

const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  entityType: {
    corporation: 'Corporation',
    llc: 'Limited liability company',
    partnership: 'Partnership',
    nonprofit: 'Nonprofit',
    other: 'Another type',
  },
  trustType: { revocable: 'Revocable', irrevocable: 'Irrevocable' },
  accreditation: {
    income:
      'Income over $200,000, or $300,000 with a spouse, in each of the last two years and expected this year',
    'net-worth': 'Net worth over $1 million without the home I live in',
    license: 'A Series 7, 65 or 82 license in good standing',
    insider: 'A director, executive officer or general partner of the issuer',
    assets: 'Assets over $5 million, and not formed for this investment',
    owners: 'All owners are accredited investors',
    institution: 'A bank, insurance company, registered adviser or similar institution',
  },
  profession: {
    accountant: 'Certified public accountant',
    attorney: 'Attorney',
    'broker-dealer': 'Registered broker-dealer',
    adviser: 'Registered investment adviser',
  },
  objective: {
    preservation: 'Keeping what I have',
    income: 'Regular income',
    growth: 'Growth over the years',
    speculation: 'High gains, with the risk of high losses',
  },
  horizon: {
    'under-3-years': 'Less than 3 years',
    '3-to-7-years': '3 to 7 years',
    'over-7-years': 'More than 7 years',
  },
  risk: { low: 'A little', medium: 'Some', high: 'A lot' },
  experience: { none: 'None yet', some: 'Some', extensive: 'A lot' },
  shareOfWealth: {
    'under-10-percent': 'Less than 10%',
    '10-to-25-percent': '10 to 25%',
    'over-25-percent': 'More than 25%',
  },
  liquidity: {
    'under-1-year': 'Within a year',
    '1-to-5-years': 'In 1 to 5 years',
    'not-needed': 'I do not need it back by a certain date',
  },
  formedToInvest: { no: 'No', yes: 'Yes' },
  ownership: { 'under-10-percent': 'Less than 10%', '10-percent-or-more': '10% or more' },
  qualification: {
    investments: 'I own investments of at least $5 million',
    'family-company': 'A family company with investments of at least $5 million',
    institution: 'Acts for own or other accounts with investments of at least $25 million',
    'all-qualified': 'All owners or beneficiaries are qualified purchasers',
    trust: 'A trust: its trustee and everyone who funded it are qualified purchasers',
  },
}

export const pageTitle = (page: string): string => PAGE_TITLES[page] ?? page
export const pageReason = (page: string): string | undefined => PAGE_REASONS[page]
export const fieldTexts = (name: string): FieldTexts => FIELDS[name] ?? { label: name }
export const choiceText = (name: string, choice: string): string =>
  CHOICES[name]?.[choice] ?? choice

export const TYPE_LABELS: Readonly<Record<PassportStructureType, string>> = {
  INDIVIDUAL: 'Individual',
  ENTITY: 'Company',
  TRUST: 'Trust',
}

export const ROLE_LABELS: Readonly<Record<PassportMember['role'], string>> = {
  owner: 'Beneficial owner',
  controller: 'Control person',
  trustee: 'Trustee',
  beneficiary: 'Beneficiary',
  signer: 'Authorized signer',
}

/** What a status means for the investor (§4.9). */
export function statusLabel(status: PassportStatus | undefined): string {
  switch (status) {
    case undefined:
    case 'UNKNOWN_STATUS':
      return 'Not started'
    case 'IN_PROGRESS':
    case 'VALID_IN_PROGRESS':
    case 'VALID_NO_KYC_IN_PROGRESS':
      return 'In progress'
    case 'AWAITING_EOS':
    case 'VALID_AWAITING_EOS':
    case 'VALID_NO_KYC_AWAITING_EOS':
      return 'Waiting for your signature'
    case 'PENDING':
    case 'VALID_PENDING':
    case 'VALID_NO_KYC_PENDING':
      return 'In review'
    case 'VALID':
    case 'VALID_NO_KYC':
      return 'Complete'
    case 'CANCELLED':
      return 'Canceled'
    case 'DENIED':
      return 'Not approved'
  }
}

/** What happened to a section, for the timeline. */
export const EVENT_LABELS: Readonly<Record<Passport['history'][number]['event'], string>> = {
  submitted: 'submitted',
  approved: 'approved',
  returned: 'more is needed',
  denied: 'not approved',
}

/** An answer as the form displays it. */
export function answerText(name: string, answer: string): string {
  if (answer === '') return 'No answer'
  if (name === 'country' || name === 'citizenship') {
    return countries().find(({ code }) => code === answer)?.name ?? answer
  }
  if (DATES.has(name)) return dateText(answer)
  if (answer === 'yes' && choiceText(name, answer) === answer) return 'Yes'
  return choiceText(name, answer)
}

const DATES: ReadonlySet<string> = new Set(['birthDate', 'formedOn'])

/** A date without a time of day, for example '1984-02-29'. */
function dateText(date: string): string {
  const at = Date.parse(date)
  if (Number.isNaN(at)) return date
  return formatDate(at, { length: 'long', timeZone: 'UTC' })
}

/** ISO 3166 codes of countries. */
const COUNTRY_CODES =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MO MP MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PR PS PT PW PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WS XK YE ZA ZM ZW'

/** Countries by name, the United States first. */
export function countries(): readonly { readonly code: string; readonly name: string }[] {
  const all = COUNTRY_CODES.split(' ').map((code) => ({ code, name: countryName(code) }))
  const sorted = all.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  return [
    ...sorted.filter(({ code }) => code === 'US'),
    ...sorted.filter(({ code }) => code !== 'US'),
  ]
}
