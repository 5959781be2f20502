import { PARTNER_ONBOARDING_PATH, ROUTER_BASE } from '@portico/contracts/limits'

/** The screens of this application, by their path under the base (§2.2). */
const SCREENS = {
  '/login': { title: 'Log in' },
  '/register': { title: 'Create your login' },
  [PARTNER_ONBOARDING_PATH]: { title: 'Continue your application' },
  '/logout': { title: 'Logging you out' },
  '/wallet': { title: 'Your account' },
  '/wallet/create-wallet': { title: 'Create a wallet' },
  '/wallet/create-figure': { title: 'Name your account' },
  '/wallet/organization/select-account': { title: 'Choose a wallet' },
  '/wallet/provenance/{walletAddress}/convert': { title: 'Convert your wallet' },
} as const

/** A screen, named by its path; a part of it in braces stands for what the address carries there. */
export type ScreenPath = keyof typeof SCREENS

/** A screen that only somebody who is signed in comes to. */
export type WalletScreen = Extract<ScreenPath, `/wallet${string}`>

const CONVERSION = /^\/wallet\/provenance\/([a-z0-9]+)\/convert$/

/** The screen of a path under the base, where it has one. */
export function screenOf(path: string): ScreenPath | undefined {
  if (CONVERSION.test(path)) return '/wallet/provenance/{walletAddress}/convert'
  return isScreen(path) ? path : undefined
}

function isScreen(path: string): path is ScreenPath {
  return Object.hasOwn(SCREENS, path) && !path.includes('{')
}

/** Whether a screen is for the signed-in only (§2.2). */
export function isWalletScreen(screen: ScreenPath): screen is WalletScreen {
  return screen.startsWith('/wallet')
}

/** Whether a full path is in the login area, above whose form announcements stand (§2.8). */
export function isLoginArea(path: string): boolean {
  const screen = screenOf(pathUnderBase(path))
  return screen !== undefined && screen !== '/logout' && !isWalletScreen(screen)
}

/** The address of the wallet that the conversion's path names. */
export function walletInPath(path: string): string {
  return CONVERSION.exec(path)?.[1] ?? ''
}

/**
 * Where a path under the base leads that has no screen (§2.1, §2.2): the same without its last slash, the registration
 * by its old name, else the login.
 */
export function elsewhere(path: string): string {
  const bare = withoutLastSlashes(path)
  if (screenOf(bare) !== undefined) return bare
  return bare === '/login/register' ? '/register' : '/login'
}

/** Counted from the end: an expression would look at each of a path's slashes for the end, which takes seconds. */
function withoutLastSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** A full path without the base; paths outside are unknown ones. */
export function pathUnderBase(path: string): string {
  return path.startsWith(`${ROUTER_BASE}/`) ? path.slice(ROUTER_BASE.length) : ''
}

/** The title of a screen's document. */
export function titleOf(screen: ScreenPath, company: string): string {
  return `${SCREENS[screen].title} | ${company}`
}
