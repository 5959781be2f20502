/**
 * The database tables. Times are epoch milliseconds. States are nullable times rather than booleans, which the two engines
 * represent differently.
 */
import type { OperatorRole } from '@portico/contracts/admin/permissions'
import type { UserType } from '@portico/contracts/broker'
import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import type { Passport, PassportFile, PassportMember } from '@portico/contracts/passport'
import type { PassportSection } from '@portico/contracts/passport-sections'
import type { PassportStatus, PassportStructureType } from '@portico/contracts/passport-status'
import type { ProviderProduct } from '@portico/contracts/sso-setup'
import type { AuthorizationType, WalletType } from '@portico/contracts/wallet'
import type { ColumnType, Generated } from 'kysely'

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
  /** When an e-mailed code became required as the second factor; null if it is not. */
  emailFactorAt: number | null
  /** Incremented whenever the password, factors or lock change. */
  credentialVersion: number
  /** The imported name; null for users who registered themselves. */
  givenName: string | null
  familyName: string | null
  /** When another product's password hash was imported; null once it is replaced by one of ours. */
  foreignPasswordAt: number | null
  /** When and in which session the password was last set, and by what proof; null if before this was stored. */
  passwordSetAt: number | null
  passwordSetIn: string | null
  passwordProvedBy: FactorProof | null
  /** When and in which session the address was last changed; null if never. */
  emailChangedAt: number | null
  emailChangedIn: string | null
  /** When a mailed code proved the address; null while only a provider or an import asserts it. */
  emailVerifiedAt: number | null
  createdAt: number
  updatedAt: number
}

/** Where a factor comes from. Null for factors from before this was stored, and for those that an import added. */
export interface FactorOrigin {
  /** The session that added it. */
  addedIn: string | null
  /** The proof by which that session was allowed to. */
  provedBy: FactorProof | null
}

/** An address, phone or authenticator app of an identity. */
export interface AliasesTable extends FactorOrigin {
  id: string
  identityId: string
  type: 'Email' | 'Phone' | 'TOTP'
  value: string
  verifiedAt: number | null
  createdAt: number
}

/** An unfinished registration, which can be completed until `expiresAt`. */
interface RegistrationsTable {
  email: string
  organizationCode: string
  createdAt: number
  expiresAt: number
}

/** A borrower referred by a partner: when the welcome mail was last sent, and when the inquiry expires. */
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
  /** The telemetry session of the request, as reported by the page. */
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
  /** When Insight counted the visit. */
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
  /** When Insight counted it. */
  countedAt: ColumnType<number | null, never, number>
}

/** The first factor of a login. */
type FirstMethod = 'password' | 'passcode' | 'passkey' | 'provider'

/** The proof of a confirmation within a session. */
export type ConfirmationProof = Exclude<FirstMethod, 'provider'> | 'totp'

/** What allowed a session to add a factor: a confirmation, or the login that asked for a new password. */
export type FactorProof = ConfirmationProof | 'login'

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
  /** When the user last confirmed their identity; null if not since login. */
  confirmedAt: number | null
  /** The proof of the last confirmation; null if not since login. */
  confirmedBy: ConfirmationProof | null
  /** The wallet that the session uses, and the group for which it acts. */
  walletAddress: string | null
  groupPolicyAddress: string | null
  /** When the user locked the hosted wallet; null while it is unlocked. */
  walletLockedAt: number | null
  /** When the hosted wallet was last used. */
  walletUsedAt: number | null
  /** When an operator last called the admin API, accurate to a minute. */
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
  /** At least the number of people in the directory. */
  directoryUserCount: Generated<number>
  /** When users could first log in with it; null while it is being set up. */
  enabledAt: number | null
  createdAt: number
  updatedAt: number
}

/** An e-mail domain that a provider may vouch for once the organization has proved that it owns the domain. */
interface ProviderDomainsTable {
  providerId: string
  domain: string
  verifiedAt: number | null
  /** The required content of the domain's record; null for domains that were verified without one. */
  challenge: string | null
}

/** The organization that owns a domain: the first one to verify it. */
interface DomainClaimsTable {
  domain: string
  organizationCode: string
  verifiedAt: number
}

/** Provider settings that an administrator is working on. They take effect when applied. */
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
  /** The version that logins use. */
  appliedVersion: number | null
  /** When a test of the current version passed. */
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
  /** When the link expires, or once it has been opened, when its browser's session expires. */
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
  /** The version of the tested settings. */
  version: number
  /** The values that the response is verified against, encrypted with the master key. */
  wrapped: string
  expiresAt: number
  consumedAt: number | null
}

/** A login at an identity provider, by the hash of its state. */
export interface ProviderLoginsTable {
  stateHash: string
  providerId: string
  /** The provider's issuer when the login began, as `issuerOf` returns it; null for logins from older versions. */
  issuer: string | null
  /** The hash of the secret in a cookie of the browser that began. */
  cookieHash: string
  /** The address that the user entered; the provider must return the same one. */
  email: string | null
  telemetryTrackingId: string | null
  /** The values that the response is verified against, later the provider's session proof. Encrypted with the master key. */
  wrapped: string
  createdAt: number
  expiresAt: number
  /** When the provider's response arrived. */
  consumedAt: number | null
  /** The session that it started. */
  sessionId: string | null
  /** The account to link to the provider's subject once the mailed passcode is entered. */
  linkIdentityId: string | null
  linkSubject: string | null
  linkCodeMac: string | null
  /** The login that waits for our second step. */
  factorLoginId: string | null
  /** When the page received the session's token. */
  redeemedAt: number | null
}

/** The account of a person at an identity provider. */
interface ProviderSubjectsTable {
  providerId: string
  subject: string
  identityId: string
  /** When the provider began to manage the account, because its first login created it. */
  managedAt: number | null
  /** The name from the last login; null if the provider sent none or its directory sends it. */
  givenName: string | null
  familyName: string | null
  createdAt: number
}

/** A SCIM token of the directory behind an identity provider. Only its hash is stored. */
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
  /** The user name in lower case, because directories compare case-insensitively. */
  userNameKey: string
  /** The directory's own ID. */
  externalId: string | null
  email: string | null
  /** The normalized address; null if it is invalid. */
  emailKey: string | null
  displayName: string | null
  givenName: string | null
  familyName: string | null
  /** The person's account, once known. */
  identityId: string | null
  /** When the person was deactivated. */
  deactivatedAt: number | null
  /** When the person left the group that the provider requires. */
  leftGroupAt: number | null
  /** When the directory deleted the person. The row stays while it blocks an account's logins. */
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

/** A login with a verified first factor, waiting for the second. */
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
interface TotpTable extends FactorOrigin {
  identityId: string
  secret: string | null
  pendingSecret: string | null
  confirmedAt: number | null
  lastStep: number
}

/** The hashed answer to a recovery question. */
interface SecurityAnswersTable extends FactorOrigin {
  identityId: string
  questionId: string
  position: number
  answerHash: string
  createdAt: number
}

/** A hashed recovery code. */
interface RecoveryCodesTable extends FactorOrigin {
  identityId: string
  codeHash: string
  createdAt: number
  usedAt: number | null
}

/** A passkey with its public key. */
interface PasskeysTable extends FactorOrigin {
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
  /** The counter of the address, for the counter of a network at this address. */
  addressName: string | null
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

/** The key pair that identifies the installation to push services, encrypted with the master key. */
interface VapidKeysTable {
  id: string
  wrapped: string
  createdAt: number
}

/** A push subscription, by the hash of its endpoint. */
interface PushSubscriptionsTable {
  idHash: string
  /** The endpoint and keys, encrypted with the master key. */
  wrapped: string
  network: string
  expiresAt: number
}

/** The relay topics that a browser is notified of, by hash. */
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

/** A running node, which reports periodically. */
interface NodesTable {
  id: string
  version: string
  startedAt: number
  seenAt: number
  /** JSON; null for a node of an older version. */
  state: string | null
}

/** Requests that rate limits refused, by the hour in which nodes reported them. */
interface RateLimitRefusalsTable {
  hour: number
  limitName: string
  refused: number
}

/** What was refused to directories, by provider and kind. */
interface DirectoryRefusalsTable {
  /** The provider and the kind. */
  id: string
  providerId: string
  /** JSON of a `DirectoryRefusal`. */
  content: string
  refused: number
  lastAt: number
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
  /** The identity or service token of the operator who did this. */
  operatorId: string | null
  sequence: ColumnType<number | null, never, number>
  hash: ColumnType<string | null, never, string>
}

/** One row: the last audit log entry in the chain. */
interface AuditChainTable {
  id: string
  sequence: number
  hash: string
  /** The sealing key, encrypted with the master key; empty before the first seal. */
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
  /** The audit kinds that it receives, separated and surrounded by spaces. */
  kinds: string
  /** The signing secrets as a JSON list, the current one first, encrypted with the master key. */
  secrets: string
  /** Who is notified when the endpoint is disabled. */
  contact: string
  /** When the holding node's lease to send expires. */
  laneUntil: number
  laneHolder: string | null
  /** Failed rounds since the last success. */
  failures: number
  failingSince: number | null
  pausedUntil: number
  disabledAt: number | null
  /** When its file was found missing at startup. */
  removedAt: number | null
  createdAt: number
}

/** An audit event that an endpoint receives. */
interface WebhookDeliveriesTable {
  eventId: string
  endpointId: string
  createdAt: number
  attempts: number
  /** Null once it is delivered or abandoned. */
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
  /** With the used refresh token itself, it yields the token's successor; null if repeating the refresh is reuse. */
  successorSalt: string | null
  createdAt: number
  expiresAt: number
}

/** A session's authorization at a client. */
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
  /** When the session was found to have ended. From then on the notice is in the queue. */
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
  /** When another wallet replaced it. */
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
  /** The identity that created it, which may have been deleted since; null if unknown. */
  creatorId: Generated<string | null>
}

/** A member of an organization's group who has not accepted its account, or does not want it. */
interface OrganizationInvitationsTable {
  walletAddress: string
  accountAddress: string
  identityId: string
  createdAt: number
  declinedAt: number | null
}

/** A wallet that may sign for an organization's account. */
interface AuthorizationsTable {
  walletAddress: string
  accountAddress: string
  type: Exclude<AuthorizationType, 'Owner'>
  createdAt: number
  /** When others added the wallet to their organization; null if its owner created the organization. */
  addedAt: number | null
}

/** The key of a hosted wallet: its recovery phrase, encrypted with the master key. */
export interface HostedKeysTable {
  address: string
  publicKey: string
  wrapped: string
  createdAt: number
}

/** A single-use nonce for a wallet to sign, deleted when used. */
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

/** An address that the user has sent to with a proof. */
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

/** A passport section that was started. Its answers are JSON, encrypted with the master key. */
export interface PassportSectionsTable {
  id: string
  passportId: string
  /** The passport's organization, which never changes. */
  organizationCode: string
  section: PassportSection
  status: PassportStatus
  /** The number of saved changes and submissions. */
  version: number
  answers: string
  savedAt: number
  /** When it was last submitted for review; null before that and for sections that are not reviewed. */
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
 * A passport's evidence file. Its bytes are in file storage, encrypted in parts with its own key. Until the upload
 * completes, it has an expiry and no type.
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
  /** The size up to the end of the document or image; anything after it is not served. */
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

/** A token that a program uses to call the admin API. */
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

/** An idempotent write to the admin API, by the hash of its operator and key. */
interface IdempotencyKeysTable {
  keyHash: string
  requestHash: string
  /** JSON, encrypted with the master key; null while the write is running or if its outcome is unknown. */
  answer: string | null
  createdAt: number
}

/** A request for an act that needs a second operator. */
interface ActRequestsTable {
  id: string
  /** The name of the call. */
  act: string
  /** JSON of the body and the subject's name, encrypted with the master key. */
  content: string
  /** A MAC of the act and its body without the reason, so that the same act cannot wait twice. Null in older requests. */
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
  /** JSON of the call's response, encrypted with the master key. */
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

/** A count for the hour or day that starts at `startsAt`. Label and device are empty where unknown. */
export interface InsightCountsTable {
  metric: string
  startsAt: number
  organizationCode: string
  label: string
  device: string
  count: number
}

/** One row: the last audit log entry that Insight has counted. */
interface InsightStateTable {
  id: string
  auditSequence: number
}

/** An experiment run that was started in the console. Only its end can change. */
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
  /** The person, who reaches an outcome once with any number of browsers. Null for older rows and deleted accounts. */
  identityId: string | null
  reachedAt: number
}

/** A run's visitors by variant and outcome. The rows with an empty outcome count all visitors. */
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
  /** The newest migration of the oldest version that is compatible with this version's schema. */
  compatibleFrom: string | null
}

/** One row: whether the database belongs to a demonstration or to production. */
export interface InstallationTable {
  id: number
  mode: 'demonstration' | 'production'
  createdAt: number
}

/** Unpublished changes to an organization. */
export interface BrandDraftsTable {
  organizationCode: string
  /** Counts the draft's changes, so that a change based on an older revision is refused. */
  revision: number
  /** The published version that it is based on. */
  baseVersion: number
  /** The changes to the file, as JSON. */
  changes: string
  state: 'draft' | 'review'
  /** The operator or token that saved it last, by name. */
  author: string
  savedAt: number
  submittedBy: string | null
  submittedAt: number | null
  /** A message for the reviewer. */
  note: string | null
}

/** An organization's published changes. Pages show the last version. */
export interface BrandVersionsTable {
  organizationCode: string
  version: number
  /** The changes to the file, as JSON. */
  changes: string
  /** The earlier version that it restores; 0 for the file alone. */
  restores: number | null
  author: string
  submittedBy: string | null
  publishedBy: string
  publishedAt: number
  reason: string
}

/** Images and style sheets of drafts and versions. A name contains a hash of the content, so a row never changes. */
export interface BrandFilesTable {
  /** `/brand/NAME.svg` and `/brand/NAME.png`, or `NAME.css`. */
  name: string
  organizationCode: string
  /** In base64. */
  content: string
  author: string
  createdAt: number
}

/** Unpublished changes to a banner. */
export interface BannerDraftsTable {
  id: string
  revision: number
  baseVersion: number
  /** As JSON. */
  content: string
  author: string
  savedAt: number
}

/** A banner's published versions. Pages show the last one. */
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

/** Counts publications, so that each node can check with one row whether it must reload. */
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
  organizationInvitations: OrganizationInvitationsTable
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
  directoryRefusals: DirectoryRefusalsTable
}
