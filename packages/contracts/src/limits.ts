/**
 * The product's constants (§9) and the limits decided where the specification is silent. The unit is in the name.
 */

/** Where a signed-in person is sent when nothing better is asked for. */
export const DEFAULT_REDIRECT = '/dashboard'

/** The base path of the front door's own routes (§2.1). */
export const ROUTER_BASE = '/auth'

/** Where the lender's own application answers. */
export const OUTSIDE_PATHS = ['/account', '/portfolio', '/legal'] as const

/** The page of partner onboarding (§2.2). */
export const PARTNER_ONBOARDING_PATH = '/credit-karma/register'

/** The header in which every call of a page names the organization that the page shows; tabs share their cookies. */
export const ORGANIZATION_HEADER = 'x-organization'

/** A page carries the flags of so many organizations at most (§1); where there are more, its own only. */
export const ORGANIZATION_FLAGS_MAXIMUM = 250

/** How long the HTTP helper waits for an answer (§7.1). */
export const HTTP_TIMEOUT_MS = 30_000

/** Lifetime of a session token (§3); a session unused for this long has ended. */
export const JWT_LIFETIME_S = 1440

/** A session ends at this age however much it is used. */
export const SESSION_MAXIMUM_MS = 12 * 60 * 60 * 1000

/** A registration that was begun can be continued for this long. */
export const REGISTRATION_LIFETIME_MS = 60 * 60 * 1000

/** How long a key signs tokens before the next one takes over. */
export const SIGNING_KEY_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

/** How long a new signing key is published before it signs. */
export const SIGNING_KEY_PUBLISHED_MS = 60 * 60 * 1000

/** A borrower who was mailed how to continue counts as referred for this long. */
export const INQUIRY_LIFETIME_MS = 90 * 24 * 60 * 60 * 1000

/** Digits of every passcode (§9). */
export const PASSCODE_LENGTH = 6

/** How long an e-mailed passcode is valid (§9). */
export const PASSCODE_LIFETIME_MS = 10 * 60 * 1000

/** How long the resend button rests after a send (§4.4). */
export const RESEND_REST_MS = 5000

/** The lowest password strength score that is accepted (§5). */
export const PASSWORD_STRENGTH_MINIMUM = 3

/** The longest password that is read; longer ones are refused before any hashing. */
export const PASSWORD_LENGTH_MAXIMUM = 256

/** The longest e-mail address a mail server must accept (RFC 5321, as corrected by erratum 1690). */
export const EMAIL_LENGTH_MAXIMUM = 254

/** Wrong guesses at an address that one network, or one known browser, may make in an hour before it has to wait. */
export const ATTEMPTS_PER_HOUR = 10

/** Wrong guesses at an address from all networks in an hour; one network alone cannot use them up. */
export const ATTEMPTS_PER_ADDRESS_AND_HOUR = 30

/** How long the mailed link works that lets a locked-out owner in, and how long its browser keeps its own attempts. */
export const LOCKOUT_LINK_LIFETIME_MS = 24 * 60 * 60 * 1000

/** Such a link is mailed at most once in this time, or when the last one was used. */
export const LOCKOUT_LINK_REST_MS = 12 * 60 * 60 * 1000

/** Wrong codes at the second step after which their owner is told. */
export const WRONG_CODES_BEFORE_NOTICE = 5

/** Wrong codes by one method after which it takes no more until the owner succeeds otherwise; no time renews them. */
export const WRONG_CODES_MAXIMUM = 20

/** Passcodes sent to one recipient in `SEND_WINDOW_MS`. */
export const SENDS_PER_RECIPIENT = 5

/** The window in which sends to one recipient are counted. */
export const SEND_WINDOW_MS = 10 * 60 * 1000

export const DAY_MS = 24 * 60 * 60 * 1000

/** Mails of 'continue your application' to one address in a day, whoever asks for them. */
export const CONTINUE_MAILS_PER_DAY = 10

/** Texts to one number in a day, for whatever account. */
export const TEXTS_PER_NUMBER_AND_DAY = 30

/** Texts of these that may go to a number because someone adds it to an account, which anyone can do with any number. */
export const SETUP_TEXTS_PER_NUMBER_AND_DAY = 5

/** Texts that one account may cause in a day. */
export const TEXTS_PER_ACCOUNT_AND_DAY = 20

/** Texts that one network may cause in an hour. */
export const TEXTS_PER_NETWORK_AND_HOUR = 100

/** An address without an account is invited to register at most once in this time. */
export const INVITATION_REST_MS = 24 * 60 * 60 * 1000

/** A password may be changed without signing in again for this long after a sign-in. */
export const FRESH_SIGN_IN_MS = 5 * 60 * 1000

/** A first factor waits for its second for this long. */
export const FIRST_FACTOR_LIFETIME_MS = 10 * 60 * 1000

/** A browser confirmed at the second step is not asked again for this long. */
export const REMEMBERED_DEVICE_MS = 30 * 24 * 60 * 60 * 1000

/** Recovery questions a person chooses and answers. */
export const RECOVERY_QUESTIONS = 3

/** Phones that one person can have a code sent to. */
export const PHONES_MAXIMUM = 3

/** Passkeys that one person can keep. */
export const PASSKEYS_MAXIMUM = 10

/** Recovery codes handed out at a time; each works once. */
export const RECOVERY_CODES = 10

/** How long a wallet has to sign a nonce. */
export const WALLET_NONCE_LIFETIME_MS = 10 * 60 * 1000

/** How long somebody has to answer what a page asks of a hosted account. */
export const APPROVAL_LIFETIME_MS = 5 * 60 * 1000

/** A hosted wallet in which its owner did nothing for this long locks itself. */
export const HOSTED_WALLET_IDLE_MS = 10 * 60_000

/** A hosted wallet locks this long after its owner last proved who they are, however much it is used. */
export const HOSTED_WALLET_OPEN_MAXIMUM_MS = 60 * 60_000

/** Wallets that one person can hold. */
export const WALLETS_MAXIMUM = 50

/** How long an organization that was named waits for its group to be on the chain. */
export const ORGANIZATION_DRAFT_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000

/** The longest name of an account. */
export const ACCOUNT_NAME_LENGTH_MAXIMUM = 60

/** The longest message a hosted account is asked to sign, in bytes. */
export const MESSAGE_BYTES_MAXIMUM = 16 * 1024

/** Reloads after a failed dynamic import, per browser session (§4.11). */
export const MODULE_RELOADS_MAXIMUM = 5

/** Banners that a page shows at most (§9). */
export const BANNERS_MAXIMUM = 2

/** Toasts visible at the same time (§9). */
export const TOASTS_MAXIMUM = 5

/** The live region is emptied this long after it spoke (§2.8). */
export const LIVE_REGION_CLEAR_MS = 300

/** The largest request body that is read, in bytes. */
export const BODY_BYTES_MAXIMUM = 64 * 1024
