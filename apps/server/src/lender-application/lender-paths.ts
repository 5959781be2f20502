import { LENDER_PATHS } from '@portico/contracts/limits'

/** Whether a path is the lender's application's. */
export function isLenderPath(path: string): boolean {
  return LENDER_PATHS.some((base) => path === base || path.startsWith(`${base}/`))
}

/**
 * Whether the application will read a path below the one that was requested. It refuses the notations of `..` that servers
 * resolve differently, with which a request could reach what the application serves to no browser.
 */
export function hasNoTraversal(url: string): boolean {
  const [path = ''] = url.split(/[?#]/, 1)
  let decoded: string
  try {
    decoded = decodeURIComponent(path)
  } catch {
    return false
  }
  // Encoded twice, or with separators that some servers accept.
  if (/%(?:2e|2f|5c)|\\|\0/i.test(decoded)) return false
  return !decoded.split('/').some((segment) => /^\.\.?(?:;|$)/.test(segment))
}
