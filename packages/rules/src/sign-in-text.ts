/**
 * The page that a text to sign signs in to. A wallet signs such a text only for that page: another page could have requested it from
 * there, and would sign in with the signature.
 */

/** The beginning, in any line, of our own text (§4.2), and of the texts of ERC-4361 and CAIP-122. */
const SIGN_IN_TEXTS = [
  /^[^\S\n]*sign\s+in\s+to\s+(\S+)\s+with\s/gim,
  /^[^\S\n]*(\S+)\s+wants\s+you\s+to\s+sign\s+in\s+with\s+your\s/gim,
]

/** The pages that a text signs in to. Line breaks and further spaces are read like the single spaces of the forms. */
const pagesIn = (text: string) =>
  SIGN_IN_TEXTS.flatMap((form) => [...text.matchAll(form)].map(([, page = '']) => page))

const URL_IN_TEXT = /https?:\/\/[^\s"'<>()]+/gi

/** Whether a text signs in to another page than the one that requests the signature. */
export function signsInElsewhere(text: string, pageOrigin: string): boolean {
  return pagesIn(text).some((page) => !isSamePage(page, pageOrigin))
}

/** Whether a text signs in to a page. */
export const isSignInText = (text: string): boolean => pagesIn(text).length > 0

/** The first other site whose address a text contains. */
export function otherSiteIn(text: string, pageOrigin: string): string | undefined {
  const [other] = (text.match(URL_IN_TEXT) ?? []).filter((url) => !isSamePage(url, pageOrigin))
  return other === undefined ? undefined : (siteOf(other)?.host ?? other)
}

/** Whether an address, with or without its scheme, is of a page's origin. `www.` makes no difference. */
export function isSamePage(address: string, pageOrigin: string): boolean {
  const [one, two] = [siteOf(address), siteOf(pageOrigin)]
  if (one === undefined || two === undefined || one.host !== two.host) return false
  return one.protocol === undefined || one.protocol === two.protocol
}

function siteOf(address: string) {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(address)
  const url = URL.parse(hasScheme ? address : `https://${address}`)
  if (url === null || url.host === '') return undefined
  const host = url.host.replace(/^www\./, '')
  return { protocol: hasScheme ? url.protocol : undefined, host }
}
