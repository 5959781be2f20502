import { DEFAULT_REDIRECT } from '@portico/contracts/limits'

/** Where the security page is. */
export const SECURITY_PATH = `${DEFAULT_REDIRECT}/security`

/** The portal's pages by their path; all of them are for the signed-in. */
const PAGES: Readonly<Record<string, { readonly title: string }>> = {
  [DEFAULT_REDIRECT]: { title: 'Dashboard' },
  [SECURITY_PATH]: { title: 'Security' },
}

/** A page's title, or nothing where there is no page. */
export function titleOf(path: string): string | undefined {
  return Object.hasOwn(PAGES, path) ? PAGES[path]?.title : undefined
}
