/**
 * The page that a text to sign signs in to. A wallet signs such a text only for that page: another page could have requested it from
 * there, and would sign in with the signature.
 */
import { bytesOfBase64, bytesOfHex } from '@portico/keys/bytes'

/**
 * Our own text (§4.2), and the texts of ERC-4361 and CAIP-122, at the beginning of a line or after other words. Line breaks and
 * further spaces are read like the single spaces of the forms. Each captures the line's beginning, if it stands there, and the page.
 */
const SIGN_IN_TEXTS = [
  /(^[^\S\n]*)?sign\s+in\s+to\s+(\S+)\s+with/gim,
  /(^[^\S\n]*)?(?<!\S)(\S+)\s+wants\s+you\s+to\s+sign\s+in\s+with\s+your/gim,
]

/** What a site could remove from a text before it reads it. Line breaks and tabs separate words. */
const IGNORABLE = /(?![\t\n\r])[\p{C}\p{Default_Ignorable_Code_Point}\uFFFD]+/gu

const QUOTES = /^["'“”„‘’«»<(*_`]+|(?<!["'“”„‘’«»>)*_`,;])["'“”„‘’«»>)*_`,;]+$/g

/** A host with several labels, a scheme or a port. `Account` is a host, too, but after other words a word of a sentence. */
const ADDRESS = /^localhost$|^\[|[\p{L}\p{N}][.:]+[\p{L}\p{N}/]/iu

/** The pages that a text signs in to. */
const pagesInText = (text: string) =>
  SIGN_IN_TEXTS.flatMap((form) =>
    [...text.matchAll(form)].flatMap(([, lineStart, page = '']) => {
      const address = page.replace(QUOTES, '')
      return lineStart !== undefined || ADDRESS.test(address) ? [address] : []
    }),
  )

/**
 * The pages that a text signs in to, however a site could read its bytes. A site that reads them less strictly than ours may skip
 * invalid bytes and invisible characters, or accept the text in hex or base64. UTF-16 and UTF-32 are the same letters between zero
 * bytes, which are skipped.
 */
function pagesInBytes(bytes: Uint8Array): readonly string[] {
  const text = readLeniently(bytes)
  const encoded = text.replaceAll(IGNORABLE, '').replaceAll(/\s+/g, '')
  const decoded = [bytesOfHex(encoded.replace(/^0x/i, '')), bytesOfBase64(encoded)]
  const texts = [text, ...decoded.flatMap((inner) => (inner ? [readLeniently(inner)] : []))]
  // Invisible characters stand within words or between them.
  return texts.flatMap((each) => [
    ...pagesInText(each.replaceAll(IGNORABLE, '')),
    ...pagesInText(each.replaceAll(IGNORABLE, ' ')),
  ])
}

const readLeniently = (bytes: Uint8Array) => new TextDecoder().decode(bytes).normalize('NFKC')

const URL_IN_TEXT = /https?:\/\/[^\s"'<>()]+/gi

/** Whether a signature over these bytes could sign in to another page than the one that requests it. */
export function signsInElsewhere(bytes: Uint8Array, pageOrigin: string): boolean {
  return pagesInBytes(bytes).some((page) => !isSamePage(page, pageOrigin))
}

/** Whether a text signs in to a page. */
export const isSignInText = (text: string): boolean =>
  pagesInBytes(new TextEncoder().encode(text)).length > 0

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
