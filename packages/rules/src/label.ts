import { Label } from '@portico/contracts/organization'
import { redirectTarget } from './redirect-target.ts'

/**
 * The partner label of a page (§5): the label inside `redirectUrl`, otherwise the page's own `label` parameter. Any text
 * other than the four labels is ignored.
 */
export function labelOf(query: URLSearchParams): Label | null {
  return parseLabel(labelInRedirect(query.get('redirectUrl'))) ?? parseLabel(query.get('label'))
}

function labelInRedirect(redirectUrl: string | null): string | null {
  // Only accepted redirect targets count. A query may contain further question marks.
  const [, search] = /^[^?#]*\?([^#]*)/.exec(redirectTarget(redirectUrl)) ?? []
  return new URLSearchParams(search).get('label')
}

function parseLabel(text: string | null): Label | null {
  const parsed = Label.safeParse(text)
  return parsed.success ? parsed.data : null
}
