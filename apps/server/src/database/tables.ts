/**
 * The database tables. Times are epoch milliseconds. States are nullable times instead of booleans, which the two
 * engines represent differently.
 */
import type { OperatorRole } from '@portico/contracts/admin/permissions'
import type { UserType } from '@portico/contracts/broker'
import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import type { Passport, PassportFile, PassportMember } from '@portico/contracts/passport'
import type { PassportSection } from '@portico/contracts/passport-sections'
import type { PassportStatus, PassportStructureType } from '@portico/contracts/passport-status'
import type { ProviderProduct } from '@portico/contracts/sso-setup'
import type { AuthorizationType, WalletType } from '@portico/contracts/wallet'
import type { ColumnType } from 'kysely'

/** A user account. One per e-mail address across organizations. */
export interface IdentitiesTable {
  id: string
  email: string
  organizationCode: string
  profileType: 'CUSTOMER' | 'AGENT'
  passwordHash: string | null
  passwordExpiredAt: number | null
  lockedAt: number | null
  loginRedirect: string | null
  /** Since when an e-mailed code is required as the second factor. */
  emailFactorAt: number | null
  /** Incremented by every change of the password, factors or lock. */
  credentialVersion: number
  /** The names from an import; null for people who registered themselves. */
  givenName: string | null
  familyName: string | null
  /** When a password hash of another product was imported; null once it is replaced by one of ours. */
  foreignPasswordAt: number | null
  createdAt: number
  updatedAt: number
}

/** An address, phone or authenticator app of an identity. */
export interface AliasesTable {
  id: string
  identityId: string
  type: 'Email' | 'Phone' | 'TOTP'
  value: string
  verifiedAt: number | null
  createdAt: number
}

/** A started registration, which can be completed until `expiresAt`. */
interface RegistrationsTable {
  email: string
  organizationCode: string
  createdAt: number
  expiresAt: number
}

/** A borrower referred by a partner: when the welcome mail was last sent, and until when the inquiry is valid. */
interface InquiriesTable {
  email: string
  organizationCode: string
  welcomedAt: number
  expiresAt: number
}

/** A requested passcode. Rows for unknown addresses contain a code that was never sent. */
interface PasscodesTable {
  id: string
  email: string
  codeMac: string
  organizationCode: string
  createdAt: number
  expiresAt: number
  redeemedAt: number | null
  /** The telemetry session in which it was requested, as reported by the page. */
  telemetrySessionUuid: string | null
}

/** A visit of a browser. URLs are stripped of personal data; the identity is set once it is known. */
export interface TelemetrySessionsTable {
  uuid: string
  trackerUuid: string
  previousUuid: string | null
  identityId: string | null
  organizationCode: string
  platform: 'WEB'
  libVersion: string
  appVersion: string
  referrer: string
  /** JSON. */
  queryParams: string
  screenWidth: number
  screenHeight: number
  windowWidth: number
  windowHeight: number
  createdAt: number
  /** When insight counted the visit. */
  countedAt: ColumnType<number | null, never, number>
  /** What the visit did, as the bits of `@portico/rules/funnels`. */
  marks: ColumnType<number, never, number>
}

/** A telemetry event. Events with the same id are duplicates. */
export interface TelemetryEventsTable {
  id: string
  sessionUuid: string
  identityId: string | null
  organizationCode: string
  event: string
  eventType: string
  productType: string | null
  applicationUuid: string | null
  domain: string
  pagePath: string
  /** JSON. */
  queryParams: string
  /** JSON. */
  eventProperties: string
  createdAt: number
  /** When insight counted it. */
  countedAt: ColumnType<number | null, never, number>
}

/** The first factor of a login. */
type FirstMethod = 'password' | 'passcode' | 'passkey' | 'provider'

/** The proof of a confirmation within a session. */
export type ConfirmationProof = Exclude<FirstMethod, 'provider'> | 'totp'

/** The second factor of a login. */
export type SecondMethod = 'email' | 'phone' | 'totp' | 'question' | 'recovery-code' | 'passkey'

/** A session. Only the hash of the cookie's secret is stored. */
export interface SessionsTable {
  id: string
  identityId: string
  secretHash: string
  method: FirstMethod | 'operator'
  secondMethod: SecondMethod | null
  organizationCode: string
  network: string
  userAgent: string
  createdAt: number
  expiresAt: number
  endedAt: number | null
  /** When the user last confirmed their identity; null if only at login. */
  confirmedAt: number | null
  /** The proof of the last confirmation; null if only at login. */
  confirmedBy: ConfirmationProof | null
  /** The wallet that the session uses, and the group for which it acts. */
  walletAddress: string | null
  groupPolicyAddress: string | null
  /** When the user locked the hosted wallet; null while it is unlocked. */
  walletLockedAt: number | null
  /** When the hosted wallet was last used. */
  walletUsedAt: number | null
  /** When an operator last made a call of the admin API, accurate to a minute. */
  operatorUsedAt: number | null
  /** The operator who views the person's pages in this session, and the operator's own session. */
  operatorId: string | null
  operatorSessionId: string | null
}

/** An organization's identity provider for its customers or for its agents. */
export interface IdentityProvidersTable {
  id: string
  organizationCode: string
  userType: UserType
  protocol: 'oidc' | 'saml'
  /** The name on the button of the login page. */
  name: string
  /** What the protocol needs, as JSON. */
  settings: string
  /** The client's secret, encrypted with the master key. */
  secret: string | null
  /** The names of the provider's claims or attributes, as JSON. */
  attributeMapping: string
  /** The group that a user must belong to. */
  requiredGroup: string | null
  /** Since when users log in with it; null while it is being set up. */
  enabledAt: number | null
  createdAt: number
  updatedAt: number
}

/** A domain of e-mail addresses for which a provider may vouch once the organization has proved that it owns the domain. */
interface ProviderDomainsTable {
  providerId: string
  domain: string
  verifiedAt: number | null
  /** What the record of the domain must say; null for domains that were verified without one. */
  challenge: string | null
}

/** The organization that owns a domain: the first one to verify it. */
interface DomainClaimsTable {
  domain: string
  organizationCode: string
  verifiedAt: number
}

/** The settings of a provider that its administrator is working on. They take effect when they are applied. */
export interface ProviderSetupsTable {
  providerId: string
  product: ProviderProduct | null
  protocol: IdentityProvidersTable['protocol'] | null
  name: string
  /** What the protocol needs, as JSON. */
  settings: string
  /** The client's secret, encrypted with the master key. */
  secret: string | null
  /** The names of the provider's claims or attributes, as JSON. */
  attributeMapping: string
  requiredGroup: string | null
  /** Counts the changes. */
  version: number
  /** The version that people log in with. */
  appliedVersion: number | null
  /** When a test of the present version passed. */
  testPassedAt: number | null
  /** The last test and its result, as JSON, encrypted with the master key. */
  test: string | null
  updatedAt: number
}

/** A mailed link to set up a provider. */
export interface SetupLinksTable {
  tokenHash: string
  providerId: string
  email: string
  createdAt: number
  /** Until when it can be opened, and once it is open, until when its browser can continue. */
  expiresAt: number
  /** The hash of the secret in a cookie of the browser that opened it; null until then. */
  sessionHash: string | null
}

/** A test sign-in at a provider, by the hash of its state. */
export interface ProviderTestsTable {
  stateHash: string
  providerId: string
  /** The hash of the secret in a cookie of the browser that began. */
  cookieHash: string
  /** The version of the settings that are tested. */
  version: number
  /** What the answer is checked against, encrypted with the master key. */
  wrapped: string
  expiresAt: number
  consumedAt: number | null
}

/** A login at an identity provider, by the hash of its state. */
export interface ProviderLoginsTable {
  stateHash: string
  providerId: string
  /** Who named the people when the login began, as `issuerOf` returns it; null for logins from before this was stored. */
  issuer: string | null
  /** The hash of the secret in a cookie of the browser that began. */
  cookieHash: string
  /** The address that the user entered; the provider must answer with the same one. */
  email: string | null
  telemetryTrackingId: string | null
  /** What the answer is checked against; later the provider's proof of its session. Encrypted with the master key. */
  wrapped: string
  createdAt: number
  expiresAt: number
  /** When the provider's answer arrived. */
  consumedAt: number | null
  /** The session that it started. */
  sessionId: string | null
  /** The account that a mailed passcode is to connect to the provider's subject. */
  linkIdentityId: string | null
  linkSubject: string | null
  linkCodeMac: string | null
  /** When the page received the session's token. */
  redeemedAt: number | null
}

/** The account of a person at an identity provider. */
interface ProviderSubjectsTable {
  providerId: string
  subject: string
  identityId: string
  /** Since when the provider manages the account, because its first login created it. */
  managedAt: number | null
  /** The names that the provider gave at the last login; null if it gave none, or if its directory gives them. */
  givenName: string | null
  familyName: string | null
  createdAt: number
}

/** A token with which the directory behind an identity provider calls. Only its hash is stored. */
export interface DirectoryTokensTable {
  id: string
  providerId: string
  tokenHash: string
  createdAt: number
  /** Null if it does not expire. */
  expiresAt: number | null
  /** Accurate to a minute. */
  lastUsedAt: number | null
}

/** A person in the directory behind an identity provider. */
export interface DirectoryUsersTable {
  id: string
  providerId: string
  userName: string
  /** The user name in lower case: directories compare without case. */
  userNameKey: string
  /** The directory's own ID. */
  externalId: string | null
  email: string | null
  /** The normalized address; null if it is not one. */
  emailKey: string | null
  displayName: string | null
  givenName: string | null
  familyName: string | null
  /** The person's account, once known. */
  identityId: string | null
  /** Since when the person may not log in. */
  deactivatedAt: number | null
  /** When the person left the group that the provider requires. */
  leftGroupAt: number | null
  /** When the directory deleted the person. The row stays as long as it keeps an account from logging in. */
  deletedAt: number | null
  createdAt: number
  updatedAt: number
}

/** A group in the directory behind an identity provider. */
export interface DirectoryGroupsTable {
  id: string
  providerId: string
  displayName: string
  displayNameKey: string
  externalId: string | null
  createdAt: number
  updatedAt: number
}

interface DirectoryMembersTable {
  groupId: string
  userId: string
}

/** A browser in which an identity has logged in. */
interface DevicesTable {
  idHash: string
  identityId: string
  firstSeenAt: number
  lastSeenAt: number
  /** Until when this browser needs no second factor. */
  trustedUntil: number | null
}

/** A login with a verified first factor that waits for the second. */
export interface FactorLoginsTable {
  id: string
  identityId: string
  method: FirstMethod
  /** The identity's version when the first factor was verified. */
  credentialVersion: number
  createdAt: number
  expiresAt: number
  completedAt: number | null
}

/** A pending change of the e-mail address, confirmed with codes sent to both addresses. */
interface EmailChangesTable {
  id: string
  identityId: string
  /** The new address. */
  email: string
  currentCodeMac: string
  newCodeMac: string
  createdAt: number
  expiresAt: number
  completedAt: number | null
}

/** A code sent to an alias, for a login or to verify a new phone. */
interface FactorCodesTable {
  id: string
  /** The login, or the alias itself if it is new. */
  purposeId: string
  aliasId: string
  codeMac: string
  createdAt: number
  expiresAt: number
  redeemedAt: number | null
}

/** An authenticator app. Secrets are encrypted with the master key; a pending one is not yet valid. */
interface TotpTable {
  identityId: string
  secret: string | null
  pendingSecret: string | null
  confirmedAt: number | null
  lastStep: number
}

/** The hashed answer to a recovery question. */
interface SecurityAnswersTable {
  identityId: string
  questionId: string
  position: number
  answerHash: string
  createdAt: number
}

/** A hashed recovery code. */
interface RecoveryCodesTable {
  identityId: string
  codeHash: string
  createdAt: number
  usedAt: number | null
}

/** A passkey with its public key. */
interface PasskeysTable {
  id: string
  identityId: string
  credentialId: string
  publicKey: string
  counter: number
  transports: string
  name: string
  createdAt: number
  lastUsedAt: number | null
}

/** A single-use passkey challenge, deleted when used. */
interface PasskeyChallengesTable {
  id: string
  purpose: string
  challenge: string
  expiresAt: number
}

/** Event counts per time window; see `counters.store.ts`. */
interface CountersTable {
  key: string
  windowStartedAt: number
  count: number
}

/** Attempts to guess a secret; see `attempts.store.ts`. */
interface AttemptsTable {
  key: string
  windowStartedAt: number
  count: number
  lockedUntil: number
  refused: number
}

/** A mailed link that gives one browser its own attempt counter; see `lockout-links.store.ts`. */
interface LockoutLinksTable {
  tokenHash: string
  email: string
  /** The browser that opened it; null while unused. */
  deviceHash: string | null
  expiresAt: number
}

/** The number of wrong second-factor codes since the last success; see `wrong-codes.store.ts`. */
interface WrongCodesTable {
  key: string
  identityId: string
  count: number
}

/** A short link to the mobile wallet. Its connection URI is encrypted with the master key. */
interface ShortLinksTable {
  idHash: string
  wrapped: string
  expiresAt: number
}

/** The key pair that identifies the installation to push services, wrapped. */
interface VapidKeysTable {
  id: string
  wrapped: string
  createdAt: number
}

/** A browser that is notified of requests, by the hash of its address at the push service. */
interface PushSubscriptionsTable {
  idHash: string
  /** The address and the keys, encrypted with the master key. */
  wrapped: string
  network: string
  expiresAt: number
}

/** The relay's topics that a browser is notified of, by their hash. */
interface PushTopicsTable {
  topicHash: string
  idHash: string
}

/** Used single-use values; see `single-use.store.ts`. */
interface SingleUsesTable {
  key: string
  expiresAt: number
}

/** A message to be sent or kept in the mailbox. Its content is encrypted with the master key. */
export interface MessagesTable {
  id: string
  channel: 'email' | 'sms'
  kind: string
  recipient: string
  content: string
  createdAt: number
  sentAt: number | null
  droppedAt: number | null
  attempts: number
  nextAttemptAt: number
}

/** A node that runs. It reports itself regularly. */
interface NodesTable {
  id: string
  version: string
  startedAt: number
  seenAt: number
  /** JSON; null for a node of an older version. */
  state: string | null
}

/** Requests that rate limits refused, by the hour in which the nodes reported them. */
interface RateLimitRefusalsTable {
  hour: number
  limitName: string
  refused: number
}

/** Security events; append-only. The sealer sets the sequence and the hash. */
export interface AuditEventsTable {
  id: string
  createdAt: number
  kind: string
  identityId: string | null
  organizationCode: string
  network: string
  details: string
  /** The identity of the operator, or the service token, that did this to the person or organization. */
  operatorId: string | null
  sequence: ColumnType<number | null, never, number>
  hash: ColumnType<string | null, never, string>
}

/** One row: the last line of the audit log that is in the chain. */
interface AuditChainTable {
  id: string
  sequence: number
  hash: string
  /** The key of the seals, encrypted with the master key; empty before the first one. */
  wrappedKey: string
}

/** A head of the chain, sealed with a key that is not in the database. */
export interface AuditSealsTable {
  sequence: number
  hash: string
  sealedAt: number
  mac: string
}

/** An organization's receiver of webhooks. */
export interface WebhookEndpointsTable {
  id: string
  organizationCode: string
  url: string
  /** The audit kinds that it receives, each between spaces. */
  kinds: string
  /** The signing secrets as a JSON list, the current one first, encrypted with the master key. */
  secrets: string
  /** Who is notified when the endpoint is disabled. */
  contact: string
  /** Until when one node, the holder, sends to it. */
  laneUntil: number
  laneHolder: string | null
  /** The failed rounds since the last success. */
  failures: number
  failingSince: number | null
  pausedUntil: number
  disabledAt: number | null
  /** When its file was gone at a start. */
  removedAt: number | null
  createdAt: number
}

/** An audit event that an endpoint receives. */
interface WebhookDeliveriesTable {
  eventId: string
  endpointId: string
  createdAt: number
  attempts: number
  /** Null once it is delivered or given up. */
  nextAttemptAt: number | null
  deliveredAt: number | null
  /** The status of the last response, or why there was none. */
  lastResult: string | null
}

/** Token signing keys, encrypted with the master key. */
interface SigningKeysTable {
  id: string
  wrapped: string
  createdAt: number
}

/** What the OpenID Connect provider stores between requests: codes, tokens, grants and sign-ins in progress. */
export interface OpenidRecordsTable {
  /** The hash of the kind and the ID, because the ID of a code or token is the code or token itself. */
  idHash: string
  kind: string
  /** JSON, without the ID. */
  payload: string
  grantId: string | null
  consumedAt: number | null
  createdAt: number
  expiresAt: number
}

/** A session's sign-in at a client. */
export interface OpenidAuthorizationsTable {
  id: string
  issuer: string
  sessionId: string
  clientId: string
  identityId: string
  grantId: string
  expiresAt: number
  /** When the client is notified, once the session has ended; null if the client wants no notice. */
  logoutDueAt: number | null
  logoutAttempts: number
  /** When it was found that the session has ended. From then on the notice is in the queue. */
  endedAt: number | null
}

/** The query parameters of a borrower's first visit. */
interface BorrowerQueryParamsTable {
  identityId: string
  queryParams: string
  updatedAt: number
}

/** A wallet in an identity's list. `walletOwners` records whether ownership is proven. */
export interface WalletsTable {
  identityId: string
  address: string
  name: string
  type: WalletType
  /** When it was last made the default; the latest wins. */
  defaultAt: number | null
  /** Since when another wallet signs instead. */
  convertedAt: number | null
  createdAt: number
}

/** The identity that proved possession of a wallet's key; at most one. */
interface WalletOwnersTable {
  address: string
  identityId: string
  verifiedAt: number
}

/** An organization's account. An individual's account is the wallet itself, without a row here. */
interface AccountsTable {
  address: string
  name: string
  createdAt: number
  /** The version of its group on the chain that its authorizations were last taken from. */
  groupVersion: number
}

/** A wallet that may sign for an organization's account. */
interface AuthorizationsTable {
  walletAddress: string
  accountAddress: string
  type: Exclude<AuthorizationType, 'Owner'>
  createdAt: number
  /** When others added the wallet to their organization; null for an organization of the wallet's own person. */
  addedAt: number | null
}

/** The key of a hosted wallet: its recovery phrase, encrypted with the master key. */
export interface HostedKeysTable {
  address: string
  publicKey: string
  wrapped: string
  createdAt: number
}

/** A single-use text for a wallet to sign, deleted when used. */
interface WalletNoncesTable {
  nonce: string
  sessionId: string
  expiresAt: number
}

/** A request to a hosted wallet, with the exact bytes to sign in hex. */
export interface ApprovalsTable {
  id: string
  sessionId: string
  identityId: string
  kind: ApprovalRequest['kind']
  address: string
  groupPolicyAddress: string | null
  origin: string
  bytes: string
  createdAt: number
  expiresAt: number
  decidedAt: number | null
  /** When the user proved their identity for this approval. */
  provenAt: number | null
}

/** An address to which the user has sent with a proof. */
interface KnownRecipientsTable {
  identityId: string
  address: string
  createdAt: number
}

/** An amount that the user sent without a proof. */
interface UnprovenTransfersTable {
  id: string
  identityId: string
  denom: string
  amount: string
  createdAt: number
}

/** A named organization until its group is on the chain and its account exists. */
export interface OrganizationDraftsTable {
  id: string
  identityId: string
  walletAddress: string
  name: string
  accountAddress: string | null
  createdAt: number
  expiresAt: number
  /** JSON: the address and name of each member besides the controlling wallet. */
  members: string
  /** How many members must agree. */
  threshold: number
}

/** The investor passport of an account; at most one. */
export interface PassportsTable {
  id: string
  structureType: PassportStructureType
  /** The account: a wallet, or the group of an entity or trust. */
  ownerWalletAddress: string
  /** Null once the creator has deleted the account. */
  creatorId: string | null
  organizationCode: string
  createdAt: number
}

/** A begun section of a passport. Its answers are JSON, encrypted with the master key. */
export interface PassportSectionsTable {
  id: string
  passportId: string
  /** The organization of the passport, which never changes. */
  organizationCode: string
  section: PassportSection
  status: PassportStatus
  /** The number of saved changes and submissions. */
  version: number
  answers: string
  savedAt: number
  /** When it was last submitted for a review; null before, and for sections that are not reviewed. */
  submittedAt: number | null
}

/** An invited address, and the identity that accepted the invitation. */
export interface PassportMembersTable {
  id: string
  passportId: string
  email: string
  name: string
  role: PassportMember['role']
  identityId: string | null
  createdAt: number
  expiresAt: number
  joinedAt: number | null
}

/**
 * An evidence file of a passport. Its bytes are in the file storage, encrypted in parts with a key of its own. Until the
 * upload is complete there is an expiry and no type.
 */
export interface PassportFilesTable {
  id: string
  passportId: string
  /** Who added it; null once that account is deleted. */
  identityId: string | null
  /** The key, the name and the time of modification as JSON, encrypted with the master key. */
  wrapped: string
  /** The size as declared, of which `receivedBytes` have arrived. */
  bytes: number
  receivedBytes: number
  /** The names of the stored parts in order, separated by spaces. */
  parts: string
  type: PassportFile['type']
  /** The size without what follows the end of the document or picture, which is not served. */
  contentBytes: number | null
  createdAt: number
  expiresAt: number | null
}

/** What happened to a section. A reviewer's reason is encrypted with the master key. */
interface PassportReviewsTable {
  id: string
  passportId: string
  section: PassportSection
  event: Passport['history'][number]['event']
  reason: string | null
  identityId: string | null
  createdAt: number
}

/** The role of an operator for an organization, or for all of them with the code `*`. */
interface IdentityRolesTable {
  identityId: string
  role: OperatorRole
  organizationCode: string
  createdAt: number
}

/** A token with which a program calls the admin API. */
interface ServiceTokensTable {
  id: string
  name: string
  tokenHash: string
  /** JSON lists. The organizations may include `*` for all. */
  permissions: string
  organizationCodes: string
  /** The identity of the operator. */
  createdBy: string
  createdAt: number
  expiresAt: number
  /** Accurate to a minute. */
  lastUsedAt: number | null
  revokedAt: number | null
}

/** A write to the admin API that is made once, by the hash of its operator and key. */
interface IdempotencyKeysTable {
  keyHash: string
  requestHash: string
  /** JSON, encrypted with the master key; null while the write runs, or if its outcome is unknown. */
  answer: string | null
  createdAt: number
}

/** An act of an operator that needs a second one. */
interface ActRequestsTable {
  id: string
  /** The name of the call. */
  act: string
  /** JSON of the body and the name of what it is about, encrypted with the master key. */
  content: string
  /** A MAC of the act and its body without the reason; the same act waits only once. Null in older requests. */
  fingerprint: string | null
  /** A JSON list; may include `*` for all. */
  organizationCodes: string
  reason: string
  /** The identity or the service token. */
  requestedBy: string
  requesterKind: string
  requesterName: string
  /** The identity, or who created the token. */
  requesterPerson: string
  createdAt: number
  expiresAt: number
  state: string
  /** Who approved, declined or withdrew it. */
  decidedBy: string | null
  deciderName: string | null
  decidedAt: number | null
  decisionReason: string | null
  /** An error code. */
  failure: string | null
  /** JSON of what the call answered, encrypted with the master key. */
  answer: string | null
}

/** A visitor's first exposure to an experiment. */
interface ExperimentExposuresTable {
  id: string
  trackerUuid: string
  experimentKey: string
  variant: string
  organizationCode: string
  exposedAt: number
}

/** How often something happened in an hour or a day, from `startsAt` on. Label and device are empty where unknown. */
export interface InsightCountsTable {
  metric: string
  startsAt: number
  organizationCode: string
  label: string
  device: string
  count: number
}

/** One row: the last line of the audit log that insight has counted. */
interface InsightStateTable {
  id: string
  auditSequence: number
}

/** An experiment that was started in the console. Only its end is ever changed. */
export interface ExperimentRunsTable {
  id: string
  experimentKey: string
  /** JSON. */
  split: string
  startsAt: number
  stopsAt: number | null
  createdAt: number
  /** The identity or the service token of the operator. */
  createdBy: string
  reason: string
  endedAt: number | null
  endedBy: string | null
  endReason: string | null
  afterwards: 'file' | 'everyone' | 'no-one' | null
}

/** A visitor who was exposed to a run. */
interface ExperimentVisitorsTable {
  runId: string
  trackerUuid: string
  variant: string
  organizationCode: string
  exposedAt: number
  countedAt: ColumnType<number | null, never, number>
}

/** What a visitor of a run did after the exposure. */
interface ExperimentOutcomesTable {
  runId: string
  trackerUuid: string
  outcome: string
  reachedAt: number
}

/** The visitors of a run by variant and outcome; the outcome of all of them is empty. */
interface ExperimentCountsTable {
  runId: string
  variant: string
  organizationCode: string
  outcome: string
  visitors: number
}

/** A version of Portico that has used the database. */
interface PorticoVersionsTable {
  version: string
  firstUsedAt: number
  /** The newest migration of the oldest version that works on the schema of this version. */
  compatibleFrom: string | null
}

/** One row: whether the database belongs to a demonstration or to production. */
export interface InstallationTable {
  id: number
  mode: 'demonstration' | 'production'
  createdAt: number
}

/** What operators changed in an organization and have not published. */
export interface BrandDraftsTable {
  organizationCode: string
  /** Counts the changes of the draft, so that a change that is based on an older one is refused. */
  revision: number
  /** The published version that it would replace. */
  baseVersion: number
  /** The changes to the file, as JSON. */
  changes: string
  state: 'draft' | 'review'
  /** Who saved it last; as all others, an operator's or token's name. */
  author: string
  savedAt: number
  submittedBy: string | null
  submittedAt: number | null
  /** A message for the reviewer. */
  note: string | null
}

/** The published changes of an organization. The last version is the one that pages show. */
export interface BrandVersionsTable {
  organizationCode: string
  version: number
  /** The changes to the file, as JSON. */
  changes: string
  /** The earlier version that it publishes again; 0 for the file alone. */
  restores: number | null
  author: string
  submittedBy: string | null
  publishedBy: string
  publishedAt: number
  reason: string
}

/** Pictures and style sheets of drafts and versions. A name contains a hash of the content, so a row never changes. */
export interface BrandFilesTable {
  /** `/brand/NAME.svg` and `/brand/NAME.png`, or `NAME.css`. */
  name: string
  organizationCode: string
  /** In base64. */
  content: string
  author: string
  createdAt: number
}

/** A banner that operators changed and have not published. */
export interface BannerDraftsTable {
  id: string
  revision: number
  baseVersion: number
  /** As JSON. */
  content: string
  author: string
  savedAt: number
}

/** The published versions of a banner. The last one is shown. */
export interface BannerVersionsTable {
  id: string
  version: number
  /** As JSON. */
  content: string
  author: string
  publishedBy: string
  publishedAt: number
  reason: string
}

/** Counts what was published, so that every node sees with one row whether it must read again. */
interface PublishedDataTable {
  name: 'organizations' | 'banners'
  version: number
}

export interface Tables {
  porticoVersions: PorticoVersionsTable
  installation: InstallationTable
  telemetrySessions: TelemetrySessionsTable
  telemetryEvents: TelemetryEventsTable
  identities: IdentitiesTable
  aliases: AliasesTable
  registrations: RegistrationsTable
  inquiries: InquiriesTable
  passcodes: PasscodesTable
  sessions: SessionsTable
  devices: DevicesTable
  factorLogins: FactorLoginsTable
  factorCodes: FactorCodesTable
  emailChanges: EmailChangesTable
  totp: TotpTable
  securityAnswers: SecurityAnswersTable
  recoveryCodes: RecoveryCodesTable
  passkeys: PasskeysTable
  passkeyChallenges: PasskeyChallengesTable
  counters: CountersTable
  attempts: AttemptsTable
  lockoutLinks: LockoutLinksTable
  wrongCodes: WrongCodesTable
  shortLinks: ShortLinksTable
  vapidKeys: VapidKeysTable
  pushSubscriptions: PushSubscriptionsTable
  pushTopics: PushTopicsTable
  singleUses: SingleUsesTable
  messages: MessagesTable
  auditChain: AuditChainTable
  auditEvents: AuditEventsTable
  auditSeals: AuditSealsTable
  webhookEndpoints: WebhookEndpointsTable
  webhookDeliveries: WebhookDeliveriesTable
  signingKeys: SigningKeysTable
  openidRecords: OpenidRecordsTable
  openidAuthorizations: OpenidAuthorizationsTable
  openidKeys: SigningKeysTable
  borrowerQueryParams: BorrowerQueryParamsTable
  wallets: WalletsTable
  walletOwners: WalletOwnersTable
  accounts: AccountsTable
  authorizations: AuthorizationsTable
  hostedKeys: HostedKeysTable
  walletNonces: WalletNoncesTable
  approvals: ApprovalsTable
  knownRecipients: KnownRecipientsTable
  unprovenTransfers: UnprovenTransfersTable
  experimentCounts: ExperimentCountsTable
  experimentExposures: ExperimentExposuresTable
  experimentOutcomes: ExperimentOutcomesTable
  experimentRuns: ExperimentRunsTable
  experimentVisitors: ExperimentVisitorsTable
  insightDays: InsightCountsTable
  insightHours: InsightCountsTable
  insightState: InsightStateTable
  organizationDrafts: OrganizationDraftsTable
  identityProviders: IdentityProvidersTable
  providerDomains: ProviderDomainsTable
  providerLogins: ProviderLoginsTable
  providerSubjects: ProviderSubjectsTable
  directoryTokens: DirectoryTokensTable
  directoryUsers: DirectoryUsersTable
  directoryGroups: DirectoryGroupsTable
  directoryMembers: DirectoryMembersTable
  providerSetups: ProviderSetupsTable
  providerTests: ProviderTestsTable
  setupLinks: SetupLinksTable
  domainClaims: DomainClaimsTable
  passports: PassportsTable
  passportSections: PassportSectionsTable
  passportMembers: PassportMembersTable
  passportFiles: PassportFilesTable
  passportReviews: PassportReviewsTable
  identityRoles: IdentityRolesTable
  serviceTokens: ServiceTokensTable
  idempotencyKeys: IdempotencyKeysTable
  actRequests: ActRequestsTable
  brandDrafts: BrandDraftsTable
  brandVersions: BrandVersionsTable
  brandFiles: BrandFilesTable
  bannerDrafts: BannerDraftsTable
  bannerVersions: BannerVersionsTable
  nodes: NodesTable
  publishedData: PublishedDataTable
  rateLimitRefusals: RateLimitRefusalsTable
}
