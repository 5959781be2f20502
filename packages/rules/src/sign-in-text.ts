/**
 * The page that a text to sign signs in to. A wallet signs such a text only for that page: another page could have requested it from
 * there, and would sign in with the signature.
 */

/** The beginning of our own text (§4.2), and of the texts of ERC-4361 and CAIP-122. */
const SIGN_IN_TEXTS = [/^\s*sign in to (\S+) with /i, /^\s*(\S+) wants you to sign in with your /i]

const URL_IN_TEXT = /https?:\/\/[^\s"'<>()]+/gi

/** Whether a text signs in to another page than the one that requests the signature. */
export function signsInElsewhere(text: string, pageOrigin: string): boolean {
  return SIGN_IN_TEXTS.some((form) => {
    const named = form.exec(text)?.[1]
    return named !== undefined && !isSamePage(named, pageOrigin)
  })
}

/** Whether a text signs in to a page. */
export const isSignInText = (text: string): boolean => SIGN_IN_TEXTS.some((form) => form.test(text))

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
