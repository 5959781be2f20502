/** The fields of the editor: the input of each, and its path in an organization's document. */
import type { OrganizationError } from '@portico/contracts/admin/organizations'

export type Content = Readonly<Record<string, unknown>>

type FieldKind =
  | { readonly kind: 'text' }
  | { readonly kind: 'color' }
  | { readonly kind: 'picture' }
  /** One value per line. */
  | { readonly kind: 'lines' }
  /** A part of the document without its own form. */
  | { readonly kind: 'json' }
  | { readonly kind: 'choice'; readonly options: Readonly<Record<string, string>> }

export type FieldDeclaration = FieldKind & {
  /** The path in the document, such as `companyInfo.name`. */
  readonly path: string
  readonly label: string
  readonly hint?: string
}

export interface FieldGroup {
  readonly title: string
  readonly fields: readonly FieldDeclaration[]
}

const text = (path: string, label: string, hint?: string): FieldDeclaration => ({
  kind: 'text',
  path,
  label,
  ...(hint !== undefined && { hint }),
})

const choice = (
  path: string,
  label: string,
  options: Readonly<Record<string, string>>,
): FieldDeclaration => ({ kind: 'choice', path, label, options })

export const FIELD_GROUPS: readonly FieldGroup[] = [
  {
    title: 'Brand',
    fields: [
      { kind: 'color', path: 'brandColor', label: 'Brand color' },
      {
        kind: 'color',
        path: 'darkBrandColor',
        label: 'Brand color in the dark scheme',
        hint: 'Derived if empty.',
      },
      { kind: 'picture', path: 'companyInfo.logoPath', label: 'Logo' },
      { kind: 'picture', path: 'companyInfo.darkLogoPath', label: 'Logo on dark' },
      { kind: 'picture', path: 'companyInfo.faviconPath', label: 'Icon' },
    ],
  },
  {
    title: 'Company',
    fields: [
      text('companyInfo.name', 'Name'),
      text('companyInfo.legalName', 'Legal name'),
      text(
        'companyInfo.trustSentence',
        'Trust sentence',
        'Shown on the brand panel of the login page.',
      ),
      text('companyInfo.supportPhone', 'Support phone', '10 digits.'),
      text('companyInfo.supportEmail', 'Support email'),
      text('companyInfo.nmlsNumber', 'NMLS number'),
      choice('companyInfo.badge', 'Badge', {
        EHL: 'Equal Housing Lender',
        EOL: 'Equal Opportunity Lender',
        EHO: 'Equal Housing Opportunity',
      }),
    ],
  },
  {
    title: 'Links',
    fields: [
      text('companyInfo.termsUrl', 'Terms'),
      text('companyInfo.privacyUrl', 'Privacy'),
      text('companyInfo.licensesUrl', 'Licenses'),
      text('companyInfo.electronicCommunicationsUrl', 'Electronic communications'),
    ],
  },
  {
    title: 'Behaviors',
    fields: [
      choice('behaviors.loginHeading', 'Login heading', {
        standard: 'Standard',
        heloc: 'HELOC',
      }),
      choice('behaviors.registerLink', 'Registration link', { shown: 'Shown', hidden: 'Hidden' }),
      choice('behaviors.registerAt', 'Registration page', {
        legacy: 'At the HELOC application',
        register: 'Here',
      }),
      choice('behaviors.signerLink', 'Signer link', { shown: 'Shown', hidden: 'Hidden' }),
      text('behaviors.registerReferrer', 'Registration referrer'),
      text('behaviors.loginMovedTo', 'New login address'),
    ],
  },
  {
    title: 'Addresses',
    fields: [
      {
        kind: 'lines',
        path: 'hosts',
        label: 'Host names',
        hint: 'One per line. Operators of all organizations can change them. A new one needs a DNS record, which is shown when the draft is saved.',
      },
      text('baseUrl', 'Base address'),
      text('extends', 'Inherits from', 'The code of another organization.'),
      text('orgBrand', 'Brand code'),
    ],
  },
  {
    title: 'Mail',
    fields: [
      text('mailFrom.name', 'Sender'),
      text(
        'mailFrom.address',
        'Sender address',
        'Operators of all organizations can change it. A new domain needs a DNS record, which is shown when the draft is saved.',
      ),
      text('mailSignature', 'Signature'),
    ],
  },
  {
    title: 'Wallet',
    fields: [
      text('wallet.walletName', 'Wallet name'),
      text('wallet.accountName', 'Account name'),
      text('wallet.mobileName', 'Mobile wallet name'),
      text('wallet.appleStoreUrl', 'App Store'),
      text('wallet.googleStoreUrl', 'Google Play'),
      text('wallet.extensionUrl', 'Browser extension'),
      text('wallet.firefoxExtensionUrl', 'Browser extension for Firefox'),
    ],
  },
  {
    title: 'Partner and products',
    fields: [
      text('partner.name', 'Partner name'),
      { kind: 'picture', path: 'partner.logoPath', label: 'Partner logo' },
      { kind: 'json', path: 'products', label: 'Products', hint: 'JSON.' },
      { kind: 'json', path: 'pricing', label: 'Pricing', hint: 'JSON.' },
    ],
  },
]

/** The value at a path; undefined if the document does not have it. */
export function valueAt(content: Content, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null
          ? (value as Record<string, unknown>)[name]
          : undefined,
      content,
    )
}

/** The document with a new value at a path; undefined omits the field, so that it is inherited. */
export function withValue(content: Content, path: string, value: unknown): Content {
  const [name = '', ...rest] = path.split('.')
  const { [name]: before, ...others } = content
  if (rest.length === 0) return value === undefined ? others : { ...content, [name]: value }
  const inner = typeof before === 'object' && before !== null ? (before as Content) : {}
  const changed = withValue(inner, rest.join('.'), value)
  return Object.keys(changed).length === 0 ? others : { ...content, [name]: changed }
}

/** The text of a field for a value in the document. */
export function fieldText(declaration: FieldDeclaration, value: unknown): string {
  if (value === undefined || value === null) return ''
  switch (declaration.kind) {
    case 'lines':
      return Array.isArray(value) ? value.join('\n') : ''
    case 'json':
      return JSON.stringify(value, null, 2)
    case 'text':
    case 'color':
    case 'picture':
    case 'choice':
      return typeof value === 'string' ? value : JSON.stringify(value)
  }
}

/** The value in the document for entered text; an empty field is inherited. Invalid JSON stays a string. */
export function fieldValue(declaration: FieldDeclaration, entered: string): unknown {
  if (entered.trim() === '') return undefined
  switch (declaration.kind) {
    case 'lines':
      return entered
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
    case 'json':
      try {
        return JSON.parse(entered)
      } catch {
        return entered
      }
    case 'text':
    case 'color':
    case 'picture':
    case 'choice':
      return entered
  }
}

/** The label of a field by its path, even for a field without a form. */
export function fieldLabel(path: string): string {
  const declaration = FIELD_GROUPS.flatMap(({ fields }) => fields).find(
    (field) => field.path === path,
  )
  return declaration?.label ?? (path === '' ? 'The organization' : path)
}

const ownFields = new Set(FIELD_GROUPS.flatMap(({ fields }) => fields.map(({ path }) => path)))

/** The error of a field, or of a part of its value. */
export function errorOf(path: string, errors: readonly OrganizationError[]): string | undefined {
  const found = errors.find(
    ({ orgCode, field }) =>
      orgCode === null &&
      (field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`)),
  )
  return found && `${found.message.charAt(0).toUpperCase()}${found.message.slice(1)}.`
}

/** Errors that no field of the form shows: those of other organizations, and of fields without a form. */
export function otherErrors(errors: readonly OrganizationError[]): readonly OrganizationError[] {
  return errors.filter(
    ({ orgCode, field }) =>
      orgCode !== null ||
      ![...ownFields].some(
        (path) => field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`),
      ),
  )
}
