import * as z from 'zod/mini'
import { PageData } from './page-data.ts'

/** The screens of the gallery (demonstration mode only) by application, each with what it is called there. */
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
    'partner-link': 'Partner onboarding: mailed link',
    'partner-other-session': 'Partner onboarding: another session',
    'partner-stopped': 'Partner onboarding: spent code',
    error: 'Error screen',
    'wallet-accounts': 'Choose an account',
    'wallet-accounts-refused': 'Choose an account, after a refusal',
    'wallet-accounts-mismatch': 'Choose an account, after another wallet',
    'wallet-connect': 'Connect a wallet',
    'wallet-connect-hosted': 'Connect a hosted wallet',
    'wallet-connect-failed': 'Connect a wallet, refused',
    'wallet-extension': 'Connect by the extension',
    'wallet-code': 'Connect by a code',
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
    'hosted-signed-out': 'Hosted wallet: nobody signed in',
    'hosted-over': 'Hosted wallet: connection over',
    approval: 'Approve a signature',
    'approval-choice': 'Approve a connection',
  },
} as const

/** An application that has screens in the gallery. */
export type GalleryApp = keyof typeof GALLERY_SCREENS

/** Where the gallery is. */
export const GALLERY_PATH = '/dev/gallery'

/** The event by which a screen of the gallery is told to put on another brand, in place. */
export const GALLERY_BRAND_EVENT = 'portico-gallery-brand'

/** A brand as a screen of the gallery can put it on. */
export const GalleryBrand = z.object({
  name: z.string(),
  page: PageData,
  /** Its theme and, where it has one, its own style sheet. */
  css: z.string(),
})

/** The parsed form of `GalleryBrand`. */
export type GalleryBrand = z.output<typeof GalleryBrand>
