/** The constants of §9, and limits that the specification does not set. Names end in their unit. */

/** The destination after login when no other is requested. */
export const DEFAULT_REDIRECT = '/dashboard'

/** The base path of the front door's own routes (§2.1). */
export const ROUTER_BASE = '/auth'

/** The page of the provider setup, relative to the router base. Its link carries the token in the fragment, which browsers never send. */
export const SSO_SETUP_PATH = '/sso-setup'

/** Paths of the lender's own application. */
export const LENDER_PATHS = ['/account', '/portfolio', '/legal'] as const

/** The page of partner onboarding (§2.2). */
export const PARTNER_ONBOARDING_PATH = '/credit-karma/register'

/** The header that names the page's organization in every call, because tabs share their cookies. */
export const ORGANIZATION_HEADER = 'x-organization'

/** The base path of the passport calls (§7.6). */
export const PASSPORT_PATH = '/service-universal-passport/identity/secure/api/v1'

/** The header of passport calls with the connected wallet's token, in addition to the session's (§7.6). */
export const WALLET_AUTHORIZATION_HEADER = 'x-wallet-authorization'

/** The maximum number of organizations for which a page receives flags (§1); beyond it, a page receives only its own. */
export const MAX_ORGANIZATION_FLAGS = 250

/** The timeout of the HTTP helper (§7.1). */
export const HTTP_TIMEOUT_MS = 30_000

/** The lifetime of a session token (§3), and of an unused session. */
export const JWT_LIFETIME_S = 1440

/** The maximum age of a session, regardless of use. */
export const MAX_SESSION_MS = 12 * 60 * 60 * 1000

/** How long a registration can be continued. */
export const REGISTRATION_LIFETIME_MS = 60 * 60 * 1000

/** How long a key signs tokens before its successor takes over. */
export const SIGNING_KEY_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

/** How long a new signing key is published before it signs. */
export const SIGNING_KEY_PUBLISHED_MS = 60 * 60 * 1000

/** How long a borrower counts as referred after the mail. */
export const INQUIRY_LIFETIME_MS = 90 * 24 * 60 * 60 * 1000

/** The number of digits in a passcode (§9). */
export const PASSCODE_LENGTH = 6

/** How long an e-mailed passcode is valid (§9). */
export const PASSCODE_LIFETIME_MS = 10 * 60 * 1000

/** How long the resend button is disabled after a send (§4.4). */
export const RESEND_DELAY_MS = 5000

/** The minimum password strength score (§5). */
export const MIN_PASSWORD_STRENGTH = 3

/** The maximum length of a password; longer ones are rejected before hashing. */
export const MAX_PASSWORD_LENGTH = 256

/** The longest e-mail address a mail server must accept (RFC 5321, as corrected by erratum 1690). */
export const MAX_EMAIL_LENGTH = 254

/** The window over which wrong attempts are counted. */
export const ATTEMPT_WINDOW_MS = 60 * 60 * 1000

/** Wrong attempts per window at an address from one network, or one known browser, before a lockout. */
export const ATTEMPTS_PER_HOUR = 10

/** Wrong attempts per window at an address from all networks; one network alone cannot exhaust them. */
export const ATTEMPTS_PER_ADDRESS_AND_HOUR = 30

/** The first lockout. Each further wrong attempt doubles it. */
export const FIRST_LOCKOUT_MS = 60 * 1000

/** The longest lockout. */
export const MAX_LOCKOUT_MS = 60 * 60 * 1000

/**
 * The minimum passphrase length of a wallet on the user's device. Longer than a password, because it must resist offline
 * attacks.
 */
export const MIN_PASSPHRASE_LENGTH = 10

/** Wrong passphrases allowed before a wallet on the user's device makes the user wait. */
export const PASSPHRASE_ATTEMPTS_WITHOUT_WAIT = 4

/** The wait after the next wrong passphrase. Each further one doubles it. */
export const FIRST_PASSPHRASE_WAIT_MS = 30 * 1000

/** The maximum wait after a wrong passphrase. */
export const MAX_PASSPHRASE_WAIT_MS = 60 * 60 * 1000

/** How long the mailed lockout link works, and how long its browser then has its own attempt counter. */
export const LOCKOUT_LINK_LIFETIME_MS = 24 * 60 * 60 * 1000

/** The minimum interval between two lockout links, unless the last one was used. */
export const LOCKOUT_LINK_INTERVAL_MS = 12 * 60 * 60 * 1000

/** Wrong codes at the second step after which the owner is notified. */
export const WRONG_CODES_BEFORE_NOTICE = 5

/**
 * Wrong codes by one method after which it is blocked until the owner succeeds by another method; they do not expire.
 */
export const MAX_WRONG_CODES = 20

/** Passcodes sent to one recipient in `SEND_WINDOW_MS`. */
export const SENDS_PER_RECIPIENT = 5

/** The window in which sends to one recipient are counted. */
export const SEND_WINDOW_MS = 10 * 60 * 1000

export const DAY_MS = 24 * 60 * 60 * 1000

/** 'Continue your application' mails to one address per day, across all requesters. */
export const CONTINUE_MAILS_PER_DAY = 10

/** Texts to one number per day, across all accounts. */
export const TEXTS_PER_NUMBER_AND_DAY = 30

/** How many of those texts may be for setting up the number, because anyone can add any number to an account. */
export const SETUP_TEXTS_PER_NUMBER_AND_DAY = 5

/** Texts per account per day. */
export const TEXTS_PER_ACCOUNT_AND_DAY = 20

/** Texts per network per hour. */
export const TEXTS_PER_NETWORK_AND_HOUR = 100

/** The minimum interval between two invitations to an address without an account. */
export const INVITATION_INTERVAL_MS = 24 * 60 * 60 * 1000

/** How long after a confirmation security settings can be changed, and after a login the password that it asks for can be set. */
export const FRESH_SIGN_IN_MS = 5 * 60 * 1000

/** How long a new factor, or a changed address, cannot confirm payments. */
export const NEW_FACTOR_WAIT_MS = 24 * 60 * 60 * 1000

/** How long a login waits for the second factor. */
export const FIRST_FACTOR_LIFETIME_MS = 10 * 60 * 1000

/** How long a login at an organization's identity provider may take. */
export const PROVIDER_LOGIN_LIFETIME_MS = 10 * 60 * 1000

/** How many people and groups a directory may have, including deleted people whose accounts stay closed. */
export const MAX_DIRECTORY_USERS = 500_000
export const MAX_DIRECTORY_GROUPS = 20_000

/** How long a sign-in to one of the lender's applications may take. */
export const OPENID_SIGN_IN_LIFETIME_MS = 30 * 60 * 1000

/** How long a browser whose login was refused is asked which account to use at the provider. */
export const PROVIDER_CHOICE_MS = 60 * 60 * 1000

/** How long the page has to fetch the session token after such a login. */
export const PROVIDER_REDEMPTION_LIFETIME_MS = 2 * 60 * 1000

/** How long the link to set up an identity provider can be opened. */
export const SETUP_LINK_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000

/** How long the browser that opened the link can continue. */
export const SETUP_SESSION_LIFETIME_MS = 24 * 60 * 60 * 1000

/** The maximum number of e-mail domains per identity provider. */
export const MAX_PROVIDER_DOMAINS = 20

/** How long before a provider's certificate expires its administrator is warned. */
export const CERTIFICATE_WARNING_MS = 30 * 24 * 60 * 60 * 1000

/** The maximum size of a SAML provider's metadata, in bytes. */
export const MAX_METADATA_BYTES = 512 * 1024

/** How long a remembered browser skips the second step. */
export const REMEMBERED_DEVICE_MS = 30 * 24 * 60 * 60 * 1000

/** Recovery questions that a user chooses and answers. */
export const RECOVERY_QUESTIONS = 3

/** The minimum length of an answer to a recovery question. */
export const MIN_ANSWER_LENGTH = 3

/** The maximum number of phones per user. */
export const MAX_PHONES = 3

/** The maximum number of passkeys per user. */
export const MAX_PASSKEYS = 10

/** Recovery codes generated at a time; each works once. */
export const RECOVERY_CODES = 10

/** How long a wallet has to sign a nonce. */
export const WALLET_NONCE_LIFETIME_MS = 10 * 60 * 1000

/** How long a request to a hosted account can be approved. */
export const APPROVAL_LIFETIME_MS = 5 * 60 * 1000

/** How many times a page may open the extension's approval window without an approval before it must wait. */
export const APPROVAL_WINDOW_OPENINGS_WITHOUT_WAIT = 3

/** The minimum time between two openings for the same page. */
export const APPROVAL_WINDOW_INTERVAL_MS = 1000

/** The wait after those openings. Each further one doubles it. */
export const FIRST_APPROVAL_WINDOW_WAIT_MS = 30 * 1000

/** The maximum wait of a page for the approval window. */
export const MAX_APPROVAL_WINDOW_WAIT_MS = 60 * 60 * 1000

/** The maximum number of history entries of a wallet on the user's device. */
export const MAX_DEVICE_HISTORY = 200

/** A hosted wallet locks after this period of inactivity. */
export const HOSTED_WALLET_IDLE_MS = 10 * 60_000

/** A hosted wallet locks this long after the last confirmation of identity, regardless of use. */
export const MAX_HOSTED_WALLET_OPEN_MS = 60 * 60_000

/** The maximum number of wallets per user. */
export const MAX_WALLETS = 50

/** How long a named organization waits for its group to appear on the chain. */
export const ORGANIZATION_DRAFT_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000

/** The maximum number of members of an organization, including its controlling wallet. */
export const MAX_ORGANIZATION_MEMBERS = 20

/** Invitations to organizations of one creator that a person can have waiting, declined, or accepted within a day. */
export const MAX_ORGANIZATION_INVITATIONS_PER_INVITER = 3

/** The most waiting invitations, and the most declined ones, on a page of the list. */
export const ORGANIZATION_INVITATIONS_PER_PAGE = 100

/** Invitations to the organizations of one creator per day, across all people. */
export const ORGANIZATION_INVITATIONS_PER_DAY = 50

/** The maximum number of members of a passport, including pending invitations. */
export const MAX_PASSPORT_MEMBERS = 20

/** How long an invitation to a passport can be accepted. */
export const PASSPORT_INVITATION_LIFETIME_MS = 14 * DAY_MS

/** Passport invitations mailed to one address per day, across all passports. */
export const PASSPORT_INVITATIONS_PER_ADDRESS_AND_DAY = 5

/** Passport invitations mailed by one identity per day. */
export const PASSPORT_INVITATIONS_PER_DAY = 50

/** The maximum size of a passport's evidence file, in bytes. */
export const MAX_PASSPORT_FILE_BYTES = 20 * 1024 * 1024

/** The size of the parts in which a file is uploaded: a slow phone sends one within the request's time limit. */
export const PASSPORT_FILE_PART_BYTES = 256 * 1024

/** The maximum number of files in a passport, including unfinished uploads. */
export const MAX_PASSPORT_FILES = 20

/** The maximum count shown for a list of reviews. */
export const MAX_REVIEWS_COUNTED = 1000

/** The maximum total size of a passport's files, including unfinished uploads, in bytes. */
export const MAX_PASSPORT_FILES_BYTES = 100 * 1024 * 1024

/** Uploads that one identity begins per day, across all passports. */
export const PASSPORT_UPLOADS_PER_DAY = 100

/** How long an unfinished upload can be continued after its last part. */
export const PASSPORT_UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1000

/** The maximum number of pixels in an image, so that it does not exhaust the memory of a reviewer's device. */
export const MAX_IMAGE_PIXELS = 120_000_000

/** The maximum length of a member's name. With its JSON it fits into the 255 bytes that the chain stores. */
export const MAX_MEMBER_NAME_LENGTH = 50

/** The maximum length of an account's name. */
export const MAX_ACCOUNT_NAME_LENGTH = 60

/** The maximum length of a passkey's name. */
export const MAX_PASSKEY_NAME_LENGTH = 60

/** The maximum size of a message to sign with a hosted account, in bytes. */
export const MAX_MESSAGE_BYTES = 16 * 1024

/** Reloads after a failed dynamic import, per browser session (§4.11). */
export const MAX_MODULE_RELOADS = 5

/** The maximum number of banners on a page (§9). */
export const MAX_BANNERS = 2

/** The maximum number of visible toasts (§9). */
export const MAX_TOASTS = 5

/** The live region is cleared this long after an announcement (§2.8). */
export const LIVE_REGION_CLEAR_MS = 300

/** The maximum request body size, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024

/** How long webhook deliveries are stored and can be resent. */
export const WEBHOOK_HISTORY_MS = 30 * DAY_MS

/** How long Insight's hourly counts are stored. Daily counts are stored longer. */
export const INSIGHT_HOURS_KEPT_MS = 40 * DAY_MS

/** An operator's session ends after this period of inactivity. */
export const OPERATOR_IDLE_MS = 15 * 60 * 1000

/** How long a passkey or authenticator code allows an operator to make sensitive calls. */
export const STEP_UP_MS = 5 * 60 * 1000

/** How long a request waits for a second operator. */
export const ACT_REQUEST_LIFETIME_MS = 24 * 60 * 60 * 1000

/** The maximum length of the reason for an operator's act. */
export const MAX_REASON_LENGTH = 500

/** The maximum page size of the admin API. */
export const ADMIN_PAGE_SIZE = 50

/** The root of the admin API. */
export const ADMIN_PATH = '/admin/api/v1'

/** How long an operator may view a person's pages, from the start and without renewal. */
export const IMPERSONATION_MS = 30 * 60 * 1000

/** The header with a write's idempotency key. */
export const IDEMPOTENCY_HEADER = 'idempotency-key'
