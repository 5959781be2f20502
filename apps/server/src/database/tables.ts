/**
 * The database tables. Times are epoch milliseconds. States are nullable times instead of booleans, which the two
 * engines represent differently.
 */
import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import type { AuthorizationType, WalletType } from '@portico/contracts/wallet'

/** A user account. One per e-mail address across organizations. */
export interface IdentitiesTable {
  id: string
  email: string
  organization_code: string
  profile_type: 'CUSTOMER' | 'AGENT'
  password_hash: string | null
  password_expired_at: number | null
  locked_at: number | null
  login_redirect: string | null
  /** Since when an e-mailed code is required as the second factor. */
  email_factor_at: number | null
  /** Incremented by every change of the password, factors or lock. */
  credential_version: number
  created_at: number
  updated_at: number
}

/** A way to reach an identity. */
export interface AliasesTable {
  id: string
  identity_id: string
  type: 'Email' | 'Phone' | 'TOTP'
  value: string
  verified_at: number | null
  created_at: number
}

/** A started registration, which can be completed until `expires_at`. */
interface RegistrationsTable {
  email: string
  organization_code: string
  created_at: number
  expires_at: number
}

/** A borrower referred by a partner: when the welcome mail was last sent, and until when the inquiry is valid. */
interface InquiriesTable {
  email: string
  organization_code: string
  welcomed_at: number
  expires_at: number
}

/** A requested passcode. Rows for unknown addresses contain a code that was never sent. */
export interface PasscodesTable {
  id: string
  email: string
  code_mac: string
  organization_code: string
  created_at: number
  expires_at: number
  redeemed_at: number | null
  /** The telemetry session in which it was requested, as reported by the page. */
  telemetry_session_uuid: string | null
}

/** A visit of a browser. URLs are stripped of personal data; the identity is set once it is known. */
export interface TelemetrySessionsTable {
  uuid: string
  tracker_uuid: string
  previous_uuid: string | null
  identity_id: string | null
  organization_code: string
  platform: 'WEB'
  lib_version: string
  app_version: string
  referrer: string
  /** JSON. */
  query_params: string
  screen_width: number
  screen_height: number
  window_width: number
  window_height: number
  created_at: number
}

/** A telemetry event. Events with the same id are duplicates. */
export interface TelemetryEventsTable {
  id: string
  session_uuid: string
  identity_id: string | null
  organization_code: string
  event: string
  event_type: string
  product_type: string | null
  application_uuid: string | null
  domain: string
  page_path: string
  /** JSON. */
  query_params: string
  /** JSON. */
  event_properties: string
  created_at: number
}

/** The first factor of a login. */
type FirstMethod = 'password' | 'passcode' | 'passkey'

/** The proof of a confirmation within a session. */
export type ConfirmationProof = FirstMethod | 'totp'

/** The second factor of a login. */
export type SecondMethod = 'email' | 'phone' | 'totp' | 'question' | 'recovery-code' | 'passkey'

/** A session. Only the hash of the cookie's secret is stored. */
export interface SessionsTable {
  id: string
  identity_id: string
  secret_hash: string
  method: FirstMethod
  second_method: SecondMethod | null
  organization_code: string
  network: string
  user_agent: string
  created_at: number
  expires_at: number
  ended_at: number | null
  /** When the user last confirmed their identity; null if only at login. */
  confirmed_at: number | null
  /** The proof of the last confirmation; null if only at login. */
  confirmed_by: ConfirmationProof | null
  /** The wallet that the session uses, and the group for which it acts. */
  wallet_address: string | null
  group_policy_address: string | null
  /** When the user locked the hosted wallet; null while it is unlocked. */
  wallet_locked_at: number | null
  /** When the hosted wallet was last used. */
  wallet_used_at: number | null
}

/** A browser in which an identity has signed in. */
interface DevicesTable {
  id_hash: string
  identity_id: string
  first_seen_at: number
  last_seen_at: number
  /** Until when this browser needs no second factor. */
  trusted_until: number | null
}

/** A login with a verified first factor that waits for the second. */
interface FactorLoginsTable {
  id: string
  identity_id: string
  method: FirstMethod
  /** The identity's version when the first factor was verified. */
  credential_version: number
  created_at: number
  expires_at: number
  completed_at: number | null
}

/** A pending change of the e-mail address, confirmed with codes sent to both addresses. */
interface EmailChangesTable {
  id: string
  identity_id: string
  /** The new address. */
  email: string
  current_code_mac: string
  new_code_mac: string
  created_at: number
  expires_at: number
  completed_at: number | null
}

/** A code sent to an alias, for a login or to verify a new phone. */
interface FactorCodesTable {
  id: string
  /** The login, or the alias itself if it is new. */
  purpose_id: string
  alias_id: string
  code_mac: string
  created_at: number
  expires_at: number
  redeemed_at: number | null
}

/** An authenticator application. Secrets are encrypted with the master key; a pending one is not yet valid. */
interface TotpTable {
  identity_id: string
  secret: string | null
  pending_secret: string | null
  confirmed_at: number | null
  last_step: number
}

/** The hashed answer to a recovery question. */
interface SecurityAnswersTable {
  identity_id: string
  question_id: string
  position: number
  answer_hash: string
  created_at: number
}

/** A hashed recovery code. */
interface RecoveryCodesTable {
  identity_id: string
  code_hash: string
  created_at: number
  used_at: number | null
}

/** A passkey with its public key. */
interface PasskeysTable {
  id: string
  identity_id: string
  credential_id: string
  public_key: string
  counter: number
  transports: string
  name: string
  created_at: number
  last_used_at: number | null
}

/** A single-use passkey challenge, deleted when used. */
interface PasskeyChallengesTable {
  id: string
  purpose: string
  challenge: string
  expires_at: number
}

/** Event counts per time window; see `counters.store.ts`. */
interface CountersTable {
  key: string
  window_started_at: number
  count: number
}

/** Attempts to guess a secret; see `attempts.store.ts`. */
interface GuessesTable {
  key: string
  window_started_at: number
  made: number
  wait_until: number
  refused: number
}

/** A mailed link that gives one browser separate attempts; see `lockout-links.store.ts`. */
interface LockoutLinksTable {
  token_hash: string
  email: string
  /** The browser that opened it; null while unused. */
  device_hash: string | null
  expires_at: number
}

/** The number of wrong second-factor codes since the last success; see `wrong-codes.store.ts`. */
interface WrongCodesTable {
  key: string
  identity_id: string
  count: number
}

/** A short link to the mobile wallet. Its connection URI is encrypted with the master key. */
interface ShortLinksTable {
  id_hash: string
  wrapped: string
  expires_at: number
}

/** Used single-use values; see `single-use.store.ts`. */
interface SingleUsesTable {
  key: string
  expires_at: number
}

/** A message to be sent or kept in the mailbox. Its content is encrypted with the master key. */
export interface MessagesTable {
  id: string
  channel: 'email' | 'sms'
  kind: string
  recipient: string
  content: string
  created_at: number
  sent_at: number | null
  dropped_at: number | null
  attempts: number
  next_attempt_at: number
}

/** Security events; append-only. */
export interface AuditEventsTable {
  id: string
  at: number
  kind: string
  identity_id: string | null
  organization_code: string
  network: string
  details: string
}

/** Token signing keys, encrypted with the master key. */
interface SigningKeysTable {
  id: string
  wrapped: string
  created_at: number
}

/** The query parameters of a borrower's first visit. */
interface BorrowerQueryParamsTable {
  identity_id: string
  query_params: string
  updated_at: number
}

/** A wallet in an identity's list. `wallet_holders` records whether ownership is proven. */
export interface WalletsTable {
  identity_id: string
  address: string
  name: string
  type: WalletType
  /** When it was last made the default; the latest wins. */
  default_at: number | null
  /** Since when another wallet signs instead. */
  converted_at: number | null
  created_at: number
}

/** The identity that proved possession of a wallet's key; at most one. */
interface WalletHoldersTable {
  address: string
  identity_id: string
  verified_at: number
}

/** An organization's account. An individual's account is the wallet itself, without a row here. */
interface AccountsTable {
  address: string
  name: string
  created_at: number
}

/** A wallet that may sign for an organization's account. */
interface AuthorizationsTable {
  wallet_address: string
  account_address: string
  type: Exclude<AuthorizationType, 'Owner'>
  created_at: number
}

/** The key of a hosted wallet: its recovery phrase, encrypted with the master key. */
export interface HostedKeysTable {
  address: string
  public_key: string
  wrapped: string
  created_at: number
}

/** A single-use text for a wallet to sign, deleted when used. */
interface WalletNoncesTable {
  nonce: string
  session_id: string
  expires_at: number
}

/** A request to a hosted wallet, with the exact bytes to sign in hex. */
export interface ApprovalsTable {
  id: string
  session_id: string
  identity_id: string
  kind: ApprovalRequest['kind']
  address: string
  group_address: string | null
  origin: string
  bytes: string
  created_at: number
  expires_at: number
  decided_at: number | null
  /** When the user proved their identity for this approval. */
  proven_at: number | null
}

/** An address to which the user has sent with a proof. */
interface KnownRecipientsTable {
  identity_id: string
  address: string
  created_at: number
}

/** An amount that the user sent without a proof. */
interface UnprovenTransfersTable {
  id: string
  identity_id: string
  denom: string
  amount: string
  created_at: number
}

/** A named organization until its group is on the chain and its account exists. */
export interface OrganizationDraftsTable {
  id: string
  identity_id: string
  wallet_address: string
  name: string
  account_address: string | null
  created_at: number
  expires_at: number
}

/** A visitor's first exposure to an experiment. */
interface ExperimentExposuresTable {
  id: string
  tracker_uuid: string
  experiment_key: string
  variant: string
  organization_code: string
  exposed_at: number
}

/** A version of Portico that has used the database. */
interface PorticoVersionsTable {
  version: string
  first_used_at: number
}

/** One row: whether the database belongs to a demonstration or to production. */
export interface InstallationTable {
  id: number
  mode: 'demonstration' | 'production'
  created_at: number
}

export interface Tables {
  portico_versions: PorticoVersionsTable
  installation: InstallationTable
  telemetry_sessions: TelemetrySessionsTable
  telemetry_events: TelemetryEventsTable
  identities: IdentitiesTable
  aliases: AliasesTable
  registrations: RegistrationsTable
  inquiries: InquiriesTable
  passcodes: PasscodesTable
  sessions: SessionsTable
  devices: DevicesTable
  factor_logins: FactorLoginsTable
  factor_codes: FactorCodesTable
  email_changes: EmailChangesTable
  totp: TotpTable
  security_answers: SecurityAnswersTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  passkey_challenges: PasskeyChallengesTable
  counters: CountersTable
  guesses: GuessesTable
  lockout_links: LockoutLinksTable
  wrong_codes: WrongCodesTable
  short_links: ShortLinksTable
  single_uses: SingleUsesTable
  messages: MessagesTable
  audit_events: AuditEventsTable
  signing_keys: SigningKeysTable
  borrower_query_params: BorrowerQueryParamsTable
  wallets: WalletsTable
  wallet_holders: WalletHoldersTable
  accounts: AccountsTable
  authorizations: AuthorizationsTable
  hosted_keys: HostedKeysTable
  wallet_nonces: WalletNoncesTable
  approvals: ApprovalsTable
  known_recipients: KnownRecipientsTable
  unproven_transfers: UnprovenTransfersTable
  experiment_exposures: ExperimentExposuresTable
  organization_drafts: OrganizationDraftsTable
}
