/**
 * Verifies XML signatures of SAML messages (SAMLCore 5.4) with `xml-crypto`. What a signature covers is returned as the text that was
 * verified, and callers read nothing else, so that no other part of the document can stand in for it.
 */
import { createHash, createPublicKey, createVerify } from 'node:crypto'
import { DOMParser, XMLSerializer } from '@xmldom/xmldom'
import { type HashAlgorithm, type SignatureAlgorithm, SignedXml } from 'xml-crypto'
import { certificatePem } from './saml-metadata.ts'

const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const RSA_PSS = 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1'
const ID_ATTRIBUTES = ['ID', 'Id', 'id']
/** The enveloped signature and the canonicalization (SAMLCore 5.4.4). */
const MAX_TRANSFORMS = 2

export function parseXml(xml: string): Element {
  const problems: string[] = []
  const root = new DOMParser({
    errorHandler: (_level, message) => problems.push(message),
  }).parseFromString(xml, 'text/xml').documentElement as Element | null
  if (problems.length > 0 || root === null) throw new Error('The response is not well-formed XML.')
  return root
}

export const xmlOf = (element: Element) => new XMLSerializer().serializeToString(element)

export const childrenOf = (element: Element, uri: string, ...names: string[]): Element[] =>
  Array.from(element.childNodes)
    .filter((node): node is Element => node.nodeType === node.ELEMENT_NODE)
    .filter(({ namespaceURI, localName }) => namespaceURI === uri && names.includes(localName))

const descendantsOf = (element: Element, uri: string, name: string): Element[] =>
  Array.from(element.getElementsByTagNameNS(uri, name))

/** Verifies signatures with a hash that the library does not have, or with an elliptic curve. */
function verifier(name: string, hash: string): new () => SignatureAlgorithm {
  return class {
    getAlgorithmName = () => name
    getSignature = () => {
      throw new Error('This algorithm only verifies.')
    }
    verifySignature = (signed: string, key: Parameters<typeof createPublicKey>[0], value: string) =>
      createVerify(hash)
        .update(signed)
        // RFC 4051 2.3.6: an ECDSA signature has both numbers side by side. RSA ignores this.
        .verify({ key: createPublicKey(key), dsaEncoding: 'ieee-p1363' }, value, 'base64')
  }
}

class Sha384 implements HashAlgorithm {
  getAlgorithmName = () => `${MORE}sha384`
  getHash = (xml: string) => createHash('sha384').update(xml).digest('base64')
}

const ECDSA = Object.fromEntries(
  ['sha256', 'sha384', 'sha512'].map((hash) => {
    const name = `${MORE}ecdsa-${hash}`
    return [name, verifier(name, hash)]
  }),
)
const RSA_SHA384 = `${MORE}rsa-sha384`
const OF_LIBRARY = [`${MORE}rsa-sha256`, `${MORE}rsa-sha512`, RSA_PSS]

/** Without SHA-1, without HMAC, for which the public key would be the secret, and only with algorithms of the key's type. */
function signedXml(keyType: string | undefined, publicCert: string): SignedXml {
  const signed = new SignedXml({ publicCert })
  const rsa = Object.entries(signed.SignatureAlgorithms).filter(([name]) =>
    OF_LIBRARY.includes(name),
  )
  signed.SignatureAlgorithms =
    keyType === 'ec'
      ? ECDSA
      : { ...Object.fromEntries(rsa), [RSA_SHA384]: verifier(RSA_SHA384, 'sha384') }
  const hashes = Object.entries(signed.HashAlgorithms).filter(([name]) => !name.endsWith('sha1'))
  signed.HashAlgorithms = { ...Object.fromEntries(hashes), [`${MORE}sha384`]: Sha384 }
  return signed
}

/**
 * The text of the element that its signature covers; undefined if it has none.
 *
 * @param xml - the document that contains the element
 * @param certificates - the accepted ones
 * @throws Error - if it has a signature that is not valid
 */
export function verifiedText(
  xml: string,
  element: Element,
  certificates: readonly string[],
): string | undefined {
  const [signature, ...others] = childrenOf(element, SIGNATURE, 'Signature')
  if (signature === undefined) return undefined
  if (others.length > 0) throw new Error('Invalid signature: an element has several signatures')
  assertCovers(signature, element)
  for (const certificate of certificates) {
    const pem = certificatePem(certificate)
    const signed = signedXml(createPublicKey(pem).asymmetricKeyType, pem)
    try {
      signed.loadSignature(signature)
      if (!signed.checkSignature(xml)) continue
    } catch {
      continue // Another key may have signed it.
    }
    const [text, ...more] = signed.getSignedReferences()
    if (text !== undefined && more.length === 0) return text
  }
  throw new Error('Invalid signature')
}

/** Requires that the signature covers its parent and nothing else (SAMLCore 5.4.2), so that nothing can be moved under it. */
function assertCovers(signature: Element, element: Element): void {
  const infos = childrenOf(signature, SIGNATURE, 'SignedInfo')
  const references = descendantsOf(signature, SIGNATURE, 'Reference')
  const transforms = descendantsOf(signature, SIGNATURE, 'Transform')
  if (infos.length !== 1 || references.length !== 1 || transforms.length > MAX_TRANSFORMS) {
    throw new Error('Invalid signature: it must have one reference with at most two transforms')
  }
  const id = element.getAttribute('ID') ?? ''
  if (id === '' || references[0]?.getAttribute('URI') !== `#${id}`) {
    throw new Error('Invalid signature: it does not refer to its own element')
  }
  const all = Array.from(element.ownerDocument.getElementsByTagName('*'))
  const named = all.filter((each) => ID_ATTRIBUTES.some((name) => each.getAttribute(name) === id))
  if (named.length !== 1) throw new Error('Invalid signature: several elements have its ID')
}
