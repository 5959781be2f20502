import { DEFAULT_REDIRECT } from '@portico/contracts/limits'

export const SECURITY_PATH = `${DEFAULT_REDIRECT}/security`

/** Pages by path; all of them require a session. */
const PAGES: Readonly<Record<string, { readonly title: string }>> = {
  [DEFAULT_REDIRECT]: { title: 'Dashboard' },
  [SECURITY_PATH]: { title: 'Security' },
}

/** A page's title, or undefined for unknown paths. */
export function titleOf(path: string): string | undefined {
  return Object.hasOwn(PAGES, path) ? PAGES[path]?.title : undefined
}
