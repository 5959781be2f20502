import { ROUTER_BASE } from '@portico/contracts/limits'

/** The screens of this application, by their path under the base (§2.2). */
const SCREENS = {
  '/login': { title: 'Log in' },
  '/register': { title: 'Create your login' },
  '/logout': { title: 'Logging you out' },
} as const

/** A path that has a screen. */
export type ScreenPath = keyof typeof SCREENS

/** Whether a path under the base has a screen. */
export function isScreen(path: string): path is ScreenPath {
  return Object.hasOwn(SCREENS, path)
}

/**
 * Where a path under the base leads that has no screen (§2.1, §2.2): the same without its last slash, the registration
 * by its old name, else the login.
 */
export function elsewhere(path: string): ScreenPath {
  const bare = path.replace(/\/+$/, '')
  if (isScreen(bare)) return bare
  return bare === '/login/register' ? '/register' : '/login'
}

/** A full path without the base; paths outside are unknown ones. */
export function pathUnderBase(path: string): string {
  return path.startsWith(`${ROUTER_BASE}/`) ? path.slice(ROUTER_BASE.length) : ''
}

/** The title of a screen's document. */
export function titleOf(path: ScreenPath, company: string): string {
  return `${SCREENS[path].title} | ${company}`
}
