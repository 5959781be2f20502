import type { OperatorRole } from '@portico/contracts/admin/permissions'
import type { AuthorizationType } from '@portico/contracts/wallet'
import type { IdentitiesTable } from '../database/tables.ts'

/** The second factors and recovery methods of an account. */
export interface DemonstrationFactors {
  readonly email?: true
  readonly phone?: string
  readonly totpSecret?: string
  readonly answers?: readonly { readonly questionUuid: string; readonly answer: string }[]
  readonly recoveryCodes?: readonly string[]
}

export interface DemonstrationOrganization {
  readonly name: string
  readonly type: Exclude<AuthorizationType, 'Owner'>
}

/** An organization where two members must approve. */
export const ALDER: DemonstrationOrganization = { name: 'Alder Holdings', type: 'Group' }
export const ALDER_THRESHOLD = 2

/**
 * A wallet of an account: a hosted one that works immediately, an old one that has to be converted, or an unverified
 * one that any wallet can restore from its words.
 */
export type DemonstrationWallet = {
  readonly name: string
  readonly organizations?: readonly DemonstrationOrganization[]
} & (
  | { readonly type: 'FIGURE' }
  /** Any wallet can restore it from its words, to send what it holds. */
  | { readonly type: 'PROVENANCE'; readonly words: string }
  /** `verified`: the user has proven possession of its key. */
  | { readonly type: 'SELF_CUSTODY'; readonly words: string; readonly verified?: true }
)

/** A demonstration account. */
export interface DemonstrationPerson {
  readonly email: string
  /** Absent for an account without a password, which logs in by passcode. */
  readonly password?: string
  readonly purpose: string
  /** The `clientId` of the demonstration's identity provider that this user signs in to; the password is the one there. */
  readonly provider?:
    | 'northgale-customers'
    | 'willow-brokers'
    | 'fernhollow-customers'
    | 'quarry-brokers'
    | 'cedar-point-customers'
  /** Whether a user of the identity provider already has an account here. */
  readonly hadAccount?: true
  /** Where this user's journey starts, if not at the login page. */
  readonly startUrl?: string
  /** The default organization unless set. */
  readonly organizationCode?: string
  readonly profileType?: IdentitiesTable['profileType']
  readonly loginRedirect?: string
  readonly locked?: true
  readonly passwordExpired?: true
  readonly factors?: DemonstrationFactors
  /** The operator's role and its organization, or `*` for all. */
  readonly operator?: { readonly role: OperatorRole; readonly organizationCode: string }
  readonly wallets?: readonly DemonstrationWallet[]
}

const TOTP_SECRET = 'PORTICOTOTPSECRETABCDEFGH234567K'
const OPERATOR_TOTP = `The login requires an authenticator app with the key ${TOTP_SECRET}`
const CONSOLE_URL = '/auth/login?redirectUrl=%2Fconsole'
const ANSWERS = [
  { questionUuid: '0b8f4c1e-2a57-4d0e-9c53-61f0a7d3b201', answer: 'Rex' },
  { questionUuid: '17c2e9a4-6b38-4f7d-8e15-92d4c0b8a602', answer: 'Utrecht' },
  { questionUuid: '38e6b0d9-4f12-4c85-b7a9-d05c2e71f804', answer: 'Volvo' },
]
const ANSWERS_TEXT = 'first pet Rex, parents met in Utrecht, first car Volvo'
const RECOVERY_CODES = ['demo-0000-0000-0001', 'demo-0000-0000-0002', 'demo-0000-0000-0003']

const UNVERIFIED_WORDS =
  'abandon amount liar amount expire adjust cage candy arch gather drum buyer'

const OLD_WORDS = 'vacuum evolve book crane year when section dentist beef canyon ten trick'

const BEN_WORDS =
  'license vacuum leader proof tool replace swap method ridge inspire solution guess'
const CLEO_WORDS =
  'inquiry sense digital tortoise before coconut dose tonight sure vacant team vocal'

/** The demonstration accounts; the README's table is generated from them. */
export const DEMONSTRATION_PEOPLE: readonly DemonstrationPerson[] = [
  {
    email: 'olive.plain@portico.example',
    password: 'quiet-harbour-71-lantern',
    purpose:
      'A plain login with a password, or with a passcode from the mailbox; no wallet account yet',
  },
  {
    email: 'piet.passcode@portico.example',
    purpose: 'Has no password yet: logs in with a passcode and is asked to choose one',
  },
  {
    email: 'carla.referred@portico.example',
    purpose:
      'Referred by a credit-score partner: continues with a mailed code or its link, then creates a password',
    startUrl:
      '/auth/credit-karma/register?email=carla.referred%40portico.example&orgCode=HARBORLINE',
    organizationCode: 'HARBORLINE',
  },
  {
    email: 'edda.expired@portico.example',
    password: 'amber-kettle-38-meadow',
    purpose: "An expired password: 'Reset Password' after the login",
    passwordExpired: true,
  },
  {
    email: 'lars.locked@portico.example',
    password: 'copper-window-52-thistle',
    purpose: "A locked account: 'Your account is locked. Please contact support.'",
    locked: true,
  },
  {
    email: 'mona.moved@portico.example',
    password: 'silver-orchard-64-pebble',
    purpose: "An account whose login has moved: 'Login Redirecting'",
    loginRedirect: '/account/heloc',
  },
  {
    email: 'wim.wholesale@portico.example',
    password: 'violet-anchor-29-marble',
    purpose: 'A customer of the wholesale organization (?orgCode=FIGURE_WHOLESALE)',
    organizationCode: 'FIGURE_WHOLESALE',
  },
  {
    email: 'bruna.broker@portico.example',
    password: 'golden-ferry-83-willow',
    purpose: 'A broker agent: stays on the login page when the destination is /portfolio',
    organizationCode: 'FIGURE_WHOLESALE',
    profileType: 'AGENT',
  },
  {
    email: 'nora.north@northgale.example',
    password: 'meadow-compass-52-cobalt',
    purpose:
      "A customer of Northgale Mortgage who logs in with 'Northgale ID'; the first login creates the account",
    startUrl: '/auth/login?orgCode=NORTHGALE',
    provider: 'northgale-customers',
  },
  {
    email: 'nils.north@northgale.example',
    password: 'thistle-harbor-31-amber',
    purpose: "The same, with an existing account that a mailed code connects to 'Northgale ID'",
    startUrl: '/auth/login?orgCode=NORTHGALE',
    organizationCode: 'NORTHGALE',
    provider: 'northgale-customers',
    hadAccount: true,
  },
  {
    email: 'gus.guest@elsewhere.example',
    password: 'lantern-pebble-47-osprey',
    purpose:
      "A guest at 'Northgale ID' with an address that Northgale Mortgage does not own: refused",
    startUrl: '/auth/login?orgCode=NORTHGALE',
    provider: 'northgale-customers',
  },
  {
    email: 'abel.agent@willow-brokers.example',
    password: 'juniper-cabin-68-falcon',
    purpose: "A broker agent of the wholesale organization who logs in with 'Willow Brokers'",
    startUrl: '/auth/login?orgCode=FIGURE_WHOLESALE&redirectUrl=%2Fportfolio',
    provider: 'willow-brokers',
  },
  {
    email: 'fern.fields@fernhollow.example',
    password: 'bramble-signal-35-walnut',
    purpose: "A customer of Fernhollow Mortgage who logs in with 'Fernhollow ID', by SAML",
    startUrl: '/auth/login?orgCode=FERNHOLLOW',
    provider: 'fernhollow-customers',
  },
  {
    email: 'quincy.quarry@quarry-brokers.example',
    password: 'granite-whistle-82-plover',
    purpose: "A broker agent of Granite Loop Credit who logs in with 'Quarry Brokers', by SAML",
    startUrl: '/auth/login?orgCode=GRANITE_LOOP&redirectUrl=%2Fportfolio',
    provider: 'quarry-brokers',
  },
  {
    email: 'cora.cedar@cedar-point.example',
    password: 'amber-lantern-36-orchid',
    purpose:
      "Logs in with an identity provider for Cedar Point that you set up yourself under 'Set up single sign-on' in the mailbox",
    startUrl: '/dev/mailbox#sso-setup',
    provider: 'cedar-point-customers',
  },
  {
    email: 'tomas.totp@portico.example',
    password: 'scarlet-compass-47-heron',
    purpose: `An authenticator app as second factor, with the key ${TOTP_SECRET}`,
    factors: { totpSecret: TOTP_SECRET },
  },
  {
    email: 'petra.phone@portico.example',
    password: 'crimson-lighthouse-26-fern',
    purpose: 'A phone as second factor: its codes are in the mailbox',
    factors: { phone: '+12015550142' },
  },
  {
    email: 'emil.email@portico.example',
    password: 'indigo-sparrow-95-canyon',
    purpose: 'An emailed code as second factor after the password; a passcode alone is enough',
    factors: { email: true },
  },
  {
    email: 'quinn.questions@portico.example',
    password: 'hazel-teapot-13-glacier',
    purpose: `A phone, and recovery questions for 'Forgot 2FA?': ${ANSWERS_TEXT}`,
    factors: { phone: '+12015550143', answers: ANSWERS },
  },
  {
    email: 'rosa.recovery@portico.example',
    password: 'maple-cathedral-59-otter',
    purpose: `A lost authenticator app, and recovery codes: ${RECOVERY_CODES.join(', ')}`,
    factors: { totpSecret: TOTP_SECRET, recoveryCodes: RECOVERY_CODES },
  },
  {
    email: 'alma.all@portico.example',
    password: 'cobalt-windmill-74-raven',
    purpose: `Everything at once: emailed codes, a phone, an authenticator app (${TOTP_SECRET}), recovery questions (${ANSWERS_TEXT}) and recovery codes (${RECOVERY_CODES.join(', ')})`,
    factors: {
      email: true,
      phone: '+12015550144',
      totpSecret: TOTP_SECRET,
      answers: ANSWERS,
      recoveryCodes: RECOVERY_CODES,
    },
  },
  {
    email: 'iris.individual@portico.example',
    password: 'walnut-ferry-46-lagoon',
    purpose: 'One individual account, hosted',
    wallets: [{ name: 'Everyday', type: 'FIGURE' }],
  },
  {
    email: 'sven.several@portico.example',
    password: 'cedar-trumpet-92-island',
    purpose: 'Several individual accounts, hosted',
    wallets: [
      { name: 'Everyday', type: 'FIGURE' },
      { name: 'Savings', type: 'FIGURE' },
    ],
  },
  {
    email: 'olga.organizations@portico.example',
    password: 'linen-bridge-37-comet',
    purpose: 'One individual account, and one organization each of type RBAC, Shared and Group',
    wallets: [
      {
        name: 'Olga',
        type: 'FIGURE',
        organizations: [
          { name: 'Birch Holdings', type: 'RBAC' },
          { name: 'Delta Trust', type: 'Shared' },
          { name: 'Larch Partners', type: 'Group' },
        ],
      },
    ],
  },
  {
    email: 'ana.alder@portico.example',
    password: 'pewter-gallery-57-juniper',
    purpose:
      'A member of Alder Holdings, where two of three members must approve: what Ana proposes with her hosted wallet waits for Ben or Cleo',
    wallets: [{ name: 'Ana', type: 'FIGURE', organizations: [ALDER] }],
  },
  {
    email: 'ben.alder@portico.example',
    password: 'saffron-terrace-84-quartz',
    purpose: `A member of Alder Holdings with a wallet of his own, to restore in the browser extension. Its words are ${BEN_WORDS}`,
    wallets: [
      {
        name: 'Ben',
        type: 'SELF_CUSTODY',
        words: BEN_WORDS,
        verified: true,
        organizations: [ALDER],
      },
    ],
  },
  {
    email: 'cleo.alder@portico.example',
    password: 'russet-harvest-19-dolphin',
    purpose: `A member of Alder Holdings with a wallet of her own, to restore on the phone. Its words are ${CLEO_WORDS}`,
    wallets: [
      {
        name: 'Cleo',
        type: 'SELF_CUSTODY',
        words: CLEO_WORDS,
        verified: true,
        organizations: [ALDER],
      },
    ],
  },
  {
    email: 'paul.provenance@portico.example',
    password: 'ginger-castle-68-meteor',
    purpose: `An old wallet with an organization and a balance: 'Convert your Provenance Wallet'. Its words are ${OLD_WORDS}`,
    wallets: [
      {
        name: 'Everyday',
        type: 'PROVENANCE',
        words: OLD_WORDS,
        organizations: [{ name: 'Maple Estates', type: 'Shared' }],
      },
    ],
  },
  {
    email: 'uma.unverified@portico.example',
    password: 'barley-saddle-21-beacon',
    purpose: `A wallet that was never verified: 'Wallet Verification Required'. Its words are ${UNVERIFIED_WORDS}`,
    wallets: [{ name: 'My phone', type: 'SELF_CUSTODY', words: UNVERIFIED_WORDS }],
  },
  {
    email: 'rita.reviewer@portico.example',
    password: 'willow-lantern-35-granite',
    purpose:
      "Reviews investor passports: 'Reviews' in the navigation. Submit a passport as another user first",
    startUrl: '/auth/login?redirectUrl=%2Fdashboard%2Freviews',
    operator: { role: 'reviewer', organizationCode: 'FIGURE' },
  },
  {
    email: 'ada.admin@portico.example',
    password: 'cobalt-harvest-44-lantern',
    purpose: `An operator with all permissions. ${OPERATOR_TOTP}`,
    startUrl: CONSOLE_URL,
    operator: { role: 'admin', organizationCode: '*' },
    factors: { totpSecret: TOTP_SECRET },
  },
  {
    email: 'sam.support@portico.example',
    password: 'marigold-anchor-57-summit',
    purpose: `A support operator for all organizations. ${OPERATOR_TOTP}`,
    startUrl: CONSOLE_URL,
    operator: { role: 'support', organizationCode: '*' },
    factors: { totpSecret: TOTP_SECRET },
  },
  {
    email: 'harper.support@portico.example',
    password: 'cinnamon-ridge-23-kestrel',
    purpose: `A support operator for Harborline only. ${OPERATOR_TOTP}`,
    startUrl: CONSOLE_URL,
    organizationCode: 'HARBORLINE',
    operator: { role: 'support', organizationCode: 'HARBORLINE' },
    factors: { totpSecret: TOTP_SECRET },
  },
  {
    email: 'bram.brand@portico.example',
    password: 'juniper-canvas-68-pilot',
    purpose: `An operator who edits Harborline's brand. ${OPERATOR_TOTP}`,
    startUrl: CONSOLE_URL,
    organizationCode: 'HARBORLINE',
    operator: { role: 'brand', organizationCode: 'HARBORLINE' },
    factors: { totpSecret: TOTP_SECRET },
  },
  {
    email: 'anna.analyst@portico.example',
    password: 'velvet-compass-31-thicket',
    purpose: `An operator who reads funnels and experiments. ${OPERATOR_TOTP}`,
    startUrl: CONSOLE_URL,
    operator: { role: 'analyst', organizationCode: '*' },
    factors: { totpSecret: TOTP_SECRET },
  },
  {
    email: 'otto.auditor@portico.example',
    password: 'bronze-ledger-92-willow',
    purpose: `An auditor, who can read everything that users and operators did. ${OPERATOR_TOTP}`,
    startUrl: CONSOLE_URL,
    operator: { role: 'auditor', organizationCode: '*' },
    factors: { totpSecret: TOTP_SECRET },
  },
]
