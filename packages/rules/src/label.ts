import { Label } from '@portico/contracts/organization'
import { redirectTarget } from './redirect-target.ts'

/**
 * The partner label of a page (§5): read from the label inside `redirectUrl`, else from the page's own `label`
 * parameter; anything but the four labels is ignored.
 */
export function labelOf(query: URLSearchParams): Label | null {
  return known(insideRedirect(query.get('redirectUrl'))) ?? known(query.get('label'))
}

function insideRedirect(redirectUrl: string | null): string | null {
  // Only accepted redirect targets count. A query may contain further question marks.
  const [, search] = /^[^?#]*\?([^#]*)/.exec(redirectTarget(redirectUrl)) ?? []
  return new URLSearchParams(search).get('label')
}

function known(text: string | null): Label | null {
  const parsed = Label.safeParse(text)
  return parsed.success ? parsed.data : null
}
