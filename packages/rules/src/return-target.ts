import { redirectTarget } from './redirect-target.ts'

/**
 * The return target of a page that received a full URL (§2.2, the conversion): our own origin is stripped, and
 * the rest is an ordinary redirect target (§5). Other origins are never accepted.
 */
export function returnTarget(requested: string | null, origin: string): string {
  const own = requested?.startsWith(`${origin}/`) === true
  return redirectTarget(own ? requested.slice(origin.length) : requested)
}
