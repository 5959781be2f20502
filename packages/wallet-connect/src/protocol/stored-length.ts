/** How often a text is encoded as JSON: in its session, with its site, and by the browser's storage. */
const ENCODINGS = 3

/** The length of a page's text in storage, where a quotation mark may take eight characters. */
export function storedLength(text: string): number {
  let encoded = text
  for (let encoding = 0; encoding < ENCODINGS; encoding += 1) encoded = JSON.stringify(encoded)
  return encoded.length
}
