/**
 * The tables as the queries see them. Times are epoch milliseconds; what is either so or not so yet is a time or null;
 * there are no booleans, because the two engines disagree about them.
 */
import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import type { AuthorizationType, WalletType } from '@portico/contracts/wallet'

/** Somebody who can sign in. One per e-mail address across organizations. */
export interface IdentitiesTable {
  id: string
  email: string
  organization_code: string
  profile_type: 'CUSTOMER' | 'AGENT'
  password_hash: string | null
  password_expired_at: number | null
  locked_at: number | null
  login_redirect: string | null
  /** Since when an e-mailed code is asked for as the second factor. */
  email_factor_at: number | null
  /** Raised by every change of the password, the factors or the lock. */
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

/** An address that asked to be registered and may finish until `expires_at`. */
interface RegistrationsTable {
  email: string
  organization_code: string
  created_at: number
  expires_at: number
}

/** A borrower whom a partner referred: when the mail with the way to continue was written last, and until when that counts. */
interface InquiriesTable {
  email: string
  organization_code: string
  welcomed_at: number
  expires_at: number
}

/** A passcode that was asked for. Rows for unknown addresses hold a code that nobody has. */
export interface PasscodesTable {
  id: string
  email: string
  code_mac: string
  organization_code: string
  created_at: number
  expires_at: number
  redeemed_at: number | null
  /** The visit it was asked for in, as the page said. */
  telemetry_session_uuid: string | null
}

/** A visit of a browser. Of addresses only what says nothing about anybody; the identity once it is known whose visit it is. */
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

/** What happened in a visit. The id is what makes it the same as another event. */
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

/** How somebody proved who they are when they signed in. */
type FirstMethod = 'password' | 'passcode' | 'passkey'

/** What a confirmation within a session is proved by. */
export type ConfirmationProof = FirstMethod | 'totp'

/** What somebody added to the first factor. */
export type SecondMethod = 'email' | 'phone' | 'totp' | 'question' | 'recovery-code' | 'passkey'

/** A sign-in that lasts. Only the hash of the cookie's secret is kept. */
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
  /** When the person last proved again who they are; null where only the sign-in did. */
  confirmed_at: number | null
  /** What the last confirmation was proved by; null where only the sign-in did. */
  confirmed_by: ConfirmationProof | null
  /** The wallet the session acts as, and the group it acts for. */
  wallet_address: string | null
  group_policy_address: string | null
  /** When the person locked the hosted wallet; null while it is open, or again. */
  wallet_locked_at: number | null
  /** When the hosted wallet was last used. */
  wallet_used_at: number | null
}

/** A browser in which an identity has signed in before. */
interface DevicesTable {
  id_hash: string
  identity_id: string
  first_seen_at: number
  last_seen_at: number
  /** Until when this browser is not asked for a second factor. */
  trusted_until: number | null
}

/** A first factor that waits for its second. */
interface FactorLoginsTable {
  id: string
  identity_id: string
  method: FirstMethod
  /** The identity's, when the first factor was right. */
  credential_version: number
  created_at: number
  expires_at: number
  completed_at: number | null
}

/** A change of the e-mail address that waits for the codes sent to both addresses. */
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

/** A code that was sent to an alias, for a login or to prove that a new phone is at hand. */
interface FactorCodesTable {
  id: string
  /** The login, or the alias itself where it is new. */
  purpose_id: string
  alias_id: string
  code_mac: string
  created_at: number
  expires_at: number
  redeemed_at: number | null
}

/** An authenticator application; its secret is wrapped by the master key. A pending one counts for nothing yet. */
interface TotpTable {
  identity_id: string
  secret: string | null
  pending_secret: string | null
  confirmed_at: number | null
  last_step: number
}

/** The answer to a recovery question, as a hash. */
interface SecurityAnswersTable {
  identity_id: string
  question_id: string
  position: number
  answer_hash: string
  created_at: number
}

/** A recovery code, as a hash. */
interface RecoveryCodesTable {
  identity_id: string
  code_hash: string
  created_at: number
  used_at: number | null
}

/** A passkey. Only its public half is known here. */
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

/** A challenge that one passkey may answer once; it is gone when it was. */
interface PasskeyChallengesTable {
  id: string
  purpose: string
  challenge: string
  expires_at: number
}

/** How often something happened in a window; see `counters.ts`. */
interface CountersTable {
  key: string
  window_started_at: number
  count: number
}

/** Guesses at a secret; see `guesses.ts`. */
interface GuessesTable {
  key: string
  window_started_at: number
  made: number
  wait_until: number
  refused: number
}

/** A mailed link that gives one browser attempts of its own; see `lockout-links.store.ts`. */
interface LockoutLinksTable {
  token_hash: string
  email: string
  /** The browser that opened it; none yet where it can still be used. */
  device_hash: string | null
  expires_at: number
}

/** Wrong codes at the second step since the last success; see `wrong-codes.store.ts`. */
interface WrongCodesTable {
  key: string
  identity_id: string
  count: number
}

/** A short link to the mobile wallet; the connection it leads to is wrapped by the master key. */
interface ShortLinksTable {
  id_hash: string
  wrapped: string
  expires_at: number
}

/** Anything that may be used once; see `single-use.ts`. */
interface SingleUsesTable {
  key: string
  expires_at: number
}

/** A message on its way, or kept in the mailbox. Its content is wrapped by the master key. */
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

/** Security events, only ever added to. */
export interface AuditEventsTable {
  id: string
  at: number
  kind: string
  identity_id: string | null
  organization_code: string
  network: string
  details: string
}

/** Keys that sign tokens, wrapped by the master key. */
interface SigningKeysTable {
  id: string
  wrapped: string
  created_at: number
}

/** The query parameters somebody arrived with. */
interface BorrowerQueryParamsTable {
  identity_id: string
  query_params: string
  updated_at: number
}

/** A wallet in somebody's list; whether it is proven to be theirs, `wallet_holders` says. */
export interface WalletsTable {
  identity_id: string
  address: string
  name: string
  type: WalletType
  /** When it was last made the default; the latest is. */
  default_at: number | null
  /** Since when another wallet signs in its place. */
  converted_at: number | null
  created_at: number
}

/** Who proved to hold the key of a wallet: one identity at most. */
interface WalletHoldersTable {
  address: string
  identity_id: string
  verified_at: number
}

/** An organization's account. An individual's account is its wallet, and has no row here. */
interface AccountsTable {
  address: string
  name: string
  created_at: number
}

/** A wallet that may sign on behalf of an organization's account. */
interface AuthorizationsTable {
  wallet_address: string
  account_address: string
  type: Exclude<AuthorizationType, 'Owner'>
  created_at: number
}

/** The key of a hosted wallet: its recovery words, wrapped by the master key. */
export interface HostedKeysTable {
  address: string
  public_key: string
  wrapped: string
  created_at: number
}

/** A text that a wallet may sign once; it is gone when it was. */
interface WalletNoncesTable {
  nonce: string
  session_id: string
  expires_at: number
}

/** What was asked of a hosted wallet: the very bytes that would be signed, in hex. */
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
  /** When the person proved who they are for this approval. */
  proven_at: number | null
}

/** An address the person has sent to with a proof. */
interface KnownRecipientsTable {
  identity_id: string
  address: string
  created_at: number
}

/** What the person sent without a proof. */
interface UnprovenTransfersTable {
  id: string
  identity_id: string
  denom: string
  amount: string
  created_at: number
}

/** How far the development chain has come: one row. */
interface ChainStateTable {
  id: number
  height: number
  accounts: number
  groups: number
  policies: number
  proposals: number
}

/** An account of the development chain; the public key is known once it has signed. */
interface ChainAccountsTable {
  address: string
  number: number
  sequence: number
  public_key: string | null
}

interface ChainBalancesTable {
  address: string
  denom: string
  amount: number
}

/** A group of the development chain. Weights are decimal texts, as the chain writes them. */
export interface ChainGroupsTable {
  id: number
  admin: string
  metadata: string
  total_weight: string
  created_at: number
}

interface ChainGroupMembersTable {
  group_id: number
  address: string
  weight: string
  metadata: string
  added_at: number
}

/** What a group acts as; its decision policy is JSON in the chain's own form. */
interface ChainGroupPoliciesTable {
  address: string
  group_id: number
  admin: string
  metadata: string
  decision_policy: string
  created_at: number
}

/** A transaction that stands in a block: its bytes in base64, and its result as JSON. */
interface ChainTransactionsTable {
  hash: string
  height: number
  bytes: string
  result: string
}

/** An organization that somebody has named, until its group is on the chain and it has its account. */
export interface OrganizationDraftsTable {
  id: string
  identity_id: string
  wallet_address: string
  name: string
  account_address: string | null
  created_at: number
  expires_at: number
}

/** That a visitor saw what an experiment decided: the first time. */
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

/** One row: whether the database is one of a demonstration or of production. */
export interface InstallationTable {
  id: number
  mode: 'demonstration' | 'production'
  created_at: number
}

/** All tables by name. */
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
  chain_state: ChainStateTable
  chain_accounts: ChainAccountsTable
  chain_balances: ChainBalancesTable
  chain_groups: ChainGroupsTable
  chain_group_members: ChainGroupMembersTable
  chain_group_policies: ChainGroupPoliciesTable
  chain_transactions: ChainTransactionsTable
  organization_drafts: OrganizationDraftsTable
}
