import { LENDER_PATHS } from '@portico/contracts/limits'

/** Whether a path belongs to the lender's application. */
export function isLenderPath(path: string): boolean {
  return LENDER_PATHS.some((base) => path === base || path.startsWith(`${base}/`))
}

/**
 * Whether the application will resolve the path to one below the requested path. Rejects path traversal in every notation of
 * `..` that servers resolve differently and that could reach internal paths of the application.
 */
export function hasNoTraversal(url: string): boolean {
  const [path = ''] = url.split(/[?#]/, 1)
  let decoded: string
  try {
    decoded = decodeURIComponent(path)
  } catch {
    return false
  }
  // Double-encoded, or with separators that some servers accept.
  if (/%(?:2e|2f|5c)|\\|\0/i.test(decoded)) return false
  return !decoded.split('/').some((segment) => /^\.\.?(?:;|$)/.test(segment))
}
