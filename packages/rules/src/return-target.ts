import { redirectTarget } from './redirect-target.ts'

/**
 * Where a page that was given the whole current URL returns to (§2.2, the conversion): our own origin is taken off, and
 * what is left is a redirect target like any other (§5). Another origin is never returned to.
 */
export function returnTarget(wanted: string | null, origin: string): string {
  const own = wanted?.startsWith(`${origin}/`) === true
  return redirectTarget(own ? wanted.slice(origin.length) : wanted)
}
