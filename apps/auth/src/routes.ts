import { PARTNER_ONBOARDING_PATH, ROUTER_BASE, SSO_SETUP_PATH } from '@portico/contracts/limits'
import { withoutTrailingSlashes } from '@portico/rules/wallet-redirects'

/** Screens by path, relative to the router base (§2.2). */
const SCREENS = {
  '/login': { title: 'Log in' },
  '/confirm': { title: "Confirm it's you" },
  '/register': { title: 'Create your login' },
  [PARTNER_ONBOARDING_PATH]: { title: 'Continue your application' },
  '/logout': { title: 'Logging you out' },
  '/gatekeeper': { title: 'Your passport' },
  [SSO_SETUP_PATH]: { title: 'Set up single sign-on' },
  '/wallet': { title: 'Your account' },
  '/wallet/create-wallet': { title: 'Create a wallet' },
  '/wallet/create-figure': { title: 'Name your account' },
  '/wallet/organization/select-account': { title: 'Choose a wallet' },
  '/wallet/provenance/{walletAddress}/convert': { title: 'Convert your wallet' },
} as const

/** The path pattern of a screen; a segment in braces is a parameter. */
export type ScreenPath = keyof typeof SCREENS

/** A screen that requires a session. */
export type WalletScreen = Extract<ScreenPath, `/wallet${string}`>

const CONVERSION = /^\/wallet\/provenance\/([a-z0-9]+)\/convert$/

/** The screen at a path relative to the base, or undefined. */
export function screenOf(path: string): ScreenPath | undefined {
  if (CONVERSION.test(path)) return '/wallet/provenance/{walletAddress}/convert'
  return isScreen(path) ? path : undefined
}

function isScreen(path: string): path is ScreenPath {
  return Object.hasOwn(SCREENS, path) && !path.includes('{')
}

/** Whether a screen requires a session (§2.2). */
export function requiresSession(screen: ScreenPath): boolean {
  return screen === '/confirm' || isWalletScreen(screen)
}

function isWalletScreen(screen: ScreenPath): screen is WalletScreen {
  return screen.startsWith('/wallet')
}

/** Whether a full path is in the login area, which shows announcements above its form (§2.8). */
export function isLoginArea(path: string): boolean {
  const screen = screenOf(pathUnderBase(path))
  return (
    screen !== undefined &&
    screen !== '/logout' &&
    screen !== '/confirm' &&
    screen !== '/gatekeeper' &&
    screen !== SSO_SETUP_PATH &&
    !isWalletScreen(screen)
  )
}

/** The wallet address in a conversion path. */
export function walletInPath(path: string): string {
  return CONVERSION.exec(path)?.[1] ?? ''
}

/**
 * The path that a path without a screen redirects to (§2.1, §2.2): the same path without trailing slashes, registration
 * for its former path, otherwise the login.
 */
export function redirectPath(path: string): string {
  const bare = withoutTrailingSlashes(path)
  if (screenOf(bare) !== undefined) return bare
  return bare === '/login/register' ? '/register' : '/login'
}

/** A full path relative to the base; an empty string, which has no screen, for paths outside it. */
export function pathUnderBase(path: string): string {
  return path.startsWith(`${ROUTER_BASE}/`) ? path.slice(ROUTER_BASE.length) : ''
}

export function titleOf(screen: ScreenPath, company: string): string {
  return `${SCREENS[screen].title} | ${company}`
}
