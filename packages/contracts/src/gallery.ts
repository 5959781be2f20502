import * as z from 'zod/mini'
import { PageData } from './page-data.ts'

/** The titles of the gallery's screens (demonstration mode only), by application. */
export const GALLERY_SCREENS = {
  auth: {
    login: 'Log in',
    'login-refused': 'Log in, refused',
    'login-passcode': 'Log in by passcode',
    'login-working': 'Logging in',
    'one-time-code': 'One-time code',
    'two-factor-methods': 'Second step: methods',
    'two-factor-code': 'Second step: code',
    'two-factor-unsent': 'Second step: code not sent',
    'two-factor-app': 'Second step: authenticator',
    'two-factor-passkey': 'Second step: passkey',
    'two-factor-question': 'Second step: question',
    'reset-password': 'Reset password',
    redirecting: 'Login redirecting',
    register: 'Register: email',
    'register-code': 'Register: code',
    'register-password': 'Register: password',
    'partner-code': 'Partner onboarding: code',
    'partner-password': 'Partner onboarding: password',
    'partner-link': 'Partner onboarding: emailed link',
    'partner-other-session': 'Partner onboarding: another session',
    'partner-stopped': 'Partner onboarding: used code',
    error: 'Error screen',
    'wallet-accounts': 'Choose an account',
    'wallet-accounts-refused': 'Choose an account, after a refusal',
    'wallet-accounts-mismatch': 'Choose an account, wrong wallet',
    'wallet-connect': 'Connect a wallet',
    'wallet-connect-hosted': 'Connect a hosted wallet',
    'wallet-connect-failed': 'Connect a wallet, refused',
    'wallet-extension': 'Connect with the extension',
    'wallet-code': 'Connect by QR code',
    'wallet-verify': 'Verify a wallet',
    'wallet-verify-signature': 'Verify a wallet: signature',
    'wallet-verify-failed': 'Verify a wallet, failed',
    'wallet-provenance': 'A wallet of the old type',
    'wallet-convert': 'Convert a wallet',
    'wallet-converted': 'The wallet is converted',
    'wallet-benefits': 'Create a wallet',
    'wallet-name': 'Name the account',
    'wallet-select': 'Choose the controlling wallet',
    'organization-name': 'Name the organization, refused',
    'organization-approve': 'Create the organization: approval',
    'organization-waiting': 'Create the organization: network',
    'organization-created': 'The organization is ready',
  },
  portal: {
    dashboard: 'Dashboard',
    'dashboard-wallet-over': 'Dashboard, the connection expired',
    transaction: 'A transaction',
    'transaction-failed': 'A transaction, not accepted',
    security: 'Security',
    'security-bare': 'Security, nothing set up',
    'security-confirm': 'Security: confirm',
    'security-password': 'Security: password',
    'security-email': 'Security: email address',
    'security-phone': 'Security: phone',
    'security-authenticator': 'Security: authenticator',
    'security-questions': 'Security: questions',
    'security-codes': 'Security: recovery codes',
    'security-delete': 'Security: delete the account',
    'not-found': 'Not found',
  },
  wallet: {
    'hosted-wallet': 'Hosted wallet',
    'hosted-first': 'Hosted wallet: first account',
    'hosted-signed-out': 'Hosted wallet: logged out',
    'hosted-over': 'Hosted wallet: connection expired',
    approval: 'Approve a signature',
    'approval-choice': 'Approve a connection',
  },
} as const

export type GalleryApp = keyof typeof GALLERY_SCREENS

export const GALLERY_PATH = '/dev/gallery'

/** The event that makes a gallery screen switch to another brand without reloading. */
export const GALLERY_BRAND_EVENT = 'portico-gallery-brand'

/** A brand that a gallery screen can switch to. */
export const GalleryBrand = z.object({
  name: z.string(),
  page: PageData,
  /** Its theme and, if it has one, its style sheet. */
  css: z.string(),
})

export type GalleryBrand = z.output<typeof GalleryBrand>
