/** Reads the metadata that a SAML provider publishes (SAMLMeta 2.4), as an administrator uploads or pastes it. */
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { SaxesParser } from 'saxes'
import * as z from 'zod/mini'
import { LOOPBACK } from '../http/visitor.ts'

/** The contents of a provider's metadata. */
export const SamlSettings = z.object({
  /** The provider's entity ID. */
  issuer: z.string(),
  /** Where sign-in requests are sent. */
  signInUrl: z.string(),
  /** Where logout requests are sent, if the provider has single logout. */
  signOutUrl: z.optional(z.string()),
  /** Its signing certificates, in PEM or base64: the current one, and during a change also the next one. */
  certificates: z.array(z.string()).check(z.minLength(1)),
  /** The names of signing certificates that could not be read, and are not used. */
  unreadable: z.optional(z.array(z.string())),
})

export type SamlSettings = z.output<typeof SamlSettings>

/** Unusable metadata. The message says how the administrator can fix it. */
export class InvalidMetadata extends Error {}

/** Larger than any single provider's metadata; federation metadata is not supported. */
const MAX_LENGTH = 512 * 1024
/**
 * Deeper than any real metadata. Namespace resolution slows down with each level, so deep nesting could block the server.
 */
const MAX_DEPTH = 50
const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

interface AllowedAddresses {
  /** Whether a provider on this machine may use http addresses, as in the demonstration. */
  readonly allowsLoopback: boolean
}

const PUBLIC: AllowedAddresses = { allowsLoopback: false }

function isAllowed(address: string, { allowsLoopback }: AllowedAddresses): boolean {
  const url = URL.parse(address)
  return (
    url?.protocol === 'https:' ||
    (allowsLoopback && url?.protocol === 'http:' && LOOPBACK.test(url.hostname))
  )
}

/** What is read of one entity that has the role of an identity provider. */
interface DescribedProvider {
  readonly issuer: string
  readonly signInUrls: string[]
  readonly signOutUrls: string[]
  /** The texts of the certificates, one list for each key, which may come with its chain. */
  readonly keys: string[][]
}

/**
 * Reads metadata with one identity provider. Other entities and roles beside it do not count.
 *
 * @throws InvalidMetadata
 */
export function readSamlMetadata(xml: string, allowed = PUBLIC, now = Date.now()): SamlSettings {
  if (xml.length > MAX_LENGTH) throw new InvalidMetadata('The metadata is too long.')
  const providers: DescribedProvider[] = []
  const parser = new SaxesParser({ xmlns: true })
  let depth = 0
  let entityId = ''
  let provider: DescribedProvider | undefined
  let key: string[] | undefined
  let certificate: string | undefined
  /** The ends of validity of the open elements, by depth. */
  const validUntil = new Map<number, string>()

  parser.on('doctype', () => {
    throw new InvalidMetadata('The metadata must not contain a DOCTYPE.')
  })
  parser.on('error', (error) => {
    throw new InvalidMetadata(`The metadata is not well-formed XML: ${error.message}`)
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    const valueOf = (name: string) => attributes[name]?.value.trim()
    depth += 1
    if (depth > MAX_DEPTH) throw new InvalidMetadata('The metadata is nested too deeply.')
    if (uri === SIGNATURE && local === 'X509Certificate' && key !== undefined) certificate = ''
    if (uri !== METADATA) return
    const end = valueOf('validUntil')
    if (end !== undefined) validUntil.set(depth, end)
    switch (local) {
      case 'EntityDescriptor':
        entityId = valueOf('entityID') ?? ''
        return
      case 'IDPSSODescriptor':
        for (const each of validUntil.values()) assertNotExpired(each, now)
        provider = { issuer: entityId, signInUrls: [], signOutUrls: [], keys: [] }
        providers.push(provider)
        return
      case 'KeyDescriptor':
        // Without `use`, a key serves both purposes.
        if (provider !== undefined && valueOf('use') !== 'encryption') {
          key = []
          provider.keys.push(key)
        }
        return
      case 'SingleSignOnService':
        if (valueOf('Binding') === REDIRECT) provider?.signInUrls.push(valueOf('Location') ?? '')
        return
      case 'SingleLogoutService':
        if (valueOf('Binding') === REDIRECT) provider?.signOutUrls.push(valueOf('Location') ?? '')
        return
    }
  })
  const addText = (text: string) => {
    if (certificate !== undefined) certificate += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', ({ uri, local }) => {
    validUntil.delete(depth)
    depth -= 1
    if (uri === SIGNATURE && local === 'X509Certificate' && certificate !== undefined) {
      key?.push(certificate)
      certificate = undefined
    }
    if (uri !== METADATA) return
    if (local === 'KeyDescriptor') key = undefined
    if (local === 'IDPSSODescriptor') provider = undefined
  })
  // Files and forms often begin with a byte order mark or a blank line, which XML forbids before its declaration.
  parser.write(xml.replace(/^[\s\uFEFF\u200B]+/, '').trimEnd()).close()

  const [found, ...others] = providers
  if (found === undefined || found.issuer === '' || others.length > 0) {
    const names = providers.map(({ issuer }) => issuer).filter((issuer) => issuer !== '')
    const list = others.length > 0 && names.length > 0 ? ` It has ${listOf(names)}.` : ''
    throw new InvalidMetadata(
      `The metadata must describe exactly one provider with an entity ID.${list}`,
    )
  }
  const signInUrl = found.signInUrls.find((url) => isAllowed(url, allowed))
  const signOutUrl = found.signOutUrls.find((url) => isAllowed(url, allowed))
  if (signInUrl === undefined) {
    throw new InvalidMetadata(
      'The metadata has no https address for sign-in by the HTTP-Redirect binding. Enable that binding at the provider.',
    )
  }
  if (found.keys.flat().length === 0) {
    throw new InvalidMetadata('The metadata has no signing certificate.')
  }
  return {
    issuer: found.issuer,
    signInUrl,
    ...(signOutUrl === undefined ? {} : { signOutUrl }),
    ...usableCertificates(found.keys.map((texts) => texts.flatMap(certificateTexts))),
  }
}

const MAX_LISTED = 3

function listOf(names: readonly string[]): string {
  const listed = names
    .slice(0, MAX_LISTED)
    .map((name) => escapeInvisible(name.slice(0, MAX_NAME_LENGTH)))
  const rest = names.length - listed.length
  return `${names.length}: ${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** SAMLMeta 2.3.2: metadata must not be used after this time. */
function assertNotExpired(validUntil: string, now: number): void {
  if (Date.parse(validUntil) <= now) {
    throw new InvalidMetadata(
      `The metadata was valid until ${validUntil} (validUntil). Download it from the provider again.`,
    )
  }
}

/**
 * The settings that an administrator typed instead of uploading metadata. There may be several certificates.
 *
 * @throws InvalidMetadata
 */
export function samlSettingsOf(
  {
    issuer,
    signInUrl,
    certificate,
  }: {
    readonly issuer: string
    readonly signInUrl: string
    readonly certificate: string
  },
  allowed = PUBLIC,
): SamlSettings {
  if (!isAllowed(signInUrl.trim(), allowed)) {
    throw new InvalidMetadata('The sign-in address must be an https address.')
  }
  return {
    issuer: issuer.trim(),
    signInUrl: signInUrl.trim(),
    ...usableCertificates([certificateTexts(certificate)]),
  }
}

const PEM_BLOCK = /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----([^-]*)-----END [A-Z0-9 ]*CERTIFICATE-----/g
/** Between certificates without PEM lines: blank lines, commas, or the padding that ends one before the next begins. */
const BETWEEN_CERTIFICATES = /[\r\n]\s*[\r\n]|[,;]|(?<==)\s*(?=MII)/
const NOT_BASE64 = /[^A-Za-z0-9+/=]/g

/**
 * The certificates of a text, in base64. They come with or without PEM lines, on one line or several, with line breaks
 * that were written as `\n`, and inside the XML from which they were copied.
 */
function certificateTexts(text: string): string[] {
  const plain = text
    .replaceAll(/\\r\\n|\\[nr]/g, '\n')
    .replaceAll(/<!\[CDATA\[|\]\]>/g, '')
    .replaceAll(/<[^<>]*>/g, '\n\n')
  const blocks = [...plain.matchAll(PEM_BLOCK)].map(([, body = '']) => body)
  const whole = plain.replaceAll(NOT_BASE64, '')
  // One certificate may have blank lines inside, so it is tried whole first.
  const bodies =
    blocks.length > 0 ? blocks : isReadable(whole) ? [whole] : plain.split(BETWEEN_CERTIFICATES)
  return bodies.map((body) => body.replaceAll(NOT_BASE64, '')).filter((body) => body !== '')
}

/**
 * The certificates whose keys verify signatures. Certificates that cannot be read are named and left out, and so are those that
 * issued another one, because an authority does not sign responses.
 *
 * @throws InvalidMetadata - if none can be read, or a key is not accepted
 */
function usableCertificates(
  keys: readonly (readonly string[])[],
): Pick<SamlSettings, 'certificates' | 'unreadable'> {
  const all = keys.flat()
  if (all.length > MAX_CERTIFICATES) {
    throw new InvalidMetadata(
      `There are ${all.length} signing certificates. Leave the current and the next one.`,
    )
  }
  const unreadable = [...new Set(all.filter((each) => !isReadable(each)))]
  const readable = keys.map((key) => withoutIssuers(key.filter(isReadable)))
  const certificates = [...new Set(readable.flat())]
  if (certificates.length === 0) {
    const names = unreadable.map(nameOfUnreadable).join(', ')
    throw new InvalidMetadata(
      `A signing certificate could not be read${names === '' ? '' : `: ${names}`}. Copy it from the provider again, from its first line to its last.`,
    )
  }
  assertUsable(certificates)
  return {
    certificates,
    ...(unreadable.length === 0 ? {} : { unreadable: unreadable.map(nameOfUnreadable) }),
  }
}

/** More than any provider has, with chains. Each is compared with all others. */
const MAX_CERTIFICATES = 20

const nameOfUnreadable = (certificate: string) =>
  `the one that begins with "${certificate.slice(0, 12)}" and has ${certificate.length} characters`

function withoutIssuers(certificates: readonly string[]): readonly string[] {
  const read = certificates.map((each) => new X509Certificate(certificatePem(each)))
  return certificates.filter((_, index) => {
    const issuer = read[index]
    return !read.some(
      (each) =>
        issuer !== undefined &&
        each !== issuer &&
        // A renewed certificate with the same name and key is not issued by the other.
        !each.verify(each.publicKey) &&
        each.checkIssued(issuer) &&
        each.verify(issuer.publicKey),
    )
  })
}

function isReadable(certificate: string): boolean {
  try {
    return new X509Certificate(certificatePem(certificate)).publicKey !== undefined
  } catch {
    return false
  }
}

/** A certificate in PEM. */
export function certificatePem(certificate: string): string {
  return certificate.includes('-----BEGIN')
    ? certificate
    : `-----BEGIN CERTIFICATE-----\n${certificate.replaceAll(/(.{64})(?=.)/g, '$1\n')}\n-----END CERTIFICATE-----`
}

/**
 * When a certificate, in PEM or base64, expires, in epoch milliseconds.
 *
 * @throws InvalidMetadata - if it is not a certificate
 */
export function certificateExpiry(certificate: string): number {
  try {
    return new X509Certificate(certificatePem(certificate)).validToDate.getTime()
  } catch (error) {
    throw new InvalidMetadata('A signing certificate could not be read.', { cause: error })
  }
}

/** Shorter RSA keys can be factored. NIST SP 800-131A disallows them. */
const MIN_RSA_BITS = 2048
/** P-256 and P-384, by their names in OpenSSL. */
const CURVES: readonly (string | undefined)[] = ['prime256v1', 'secp384r1']
const STRONG_KEY = `Sign with an RSA key of at least ${MIN_RSA_BITS} bits or an elliptic curve key of P-256 or P-384 at the provider.`
const MAX_NAME_LENGTH = 100

/**
 * Why signatures by a certificate's key are not accepted, with the key's name; undefined if they are. The libraries
 * would accept keys of any length.
 */
export function keyProblem(certificate: string): string | undefined {
  const key = readKey(certificate)
  if (key === undefined) return 'A signing certificate could not be read.'
  const name = nameOfKey(certificate)
  if (key.asymmetricKeyType === 'ec') {
    const curve = key.asymmetricKeyDetails?.namedCurve
    if (CURVES.includes(curve)) return undefined
    return `The key of the signing certificate ${name} is on the curve ${curve ?? 'unknown'}, whose signatures are not accepted. ${STRONG_KEY}`
  }
  if (key.asymmetricKeyType !== 'rsa') {
    return `The key of the signing certificate ${name} is of the type ${key.asymmetricKeyType ?? 'unknown'}, whose signatures cannot be verified. ${STRONG_KEY}`
  }
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  if (modulusLength < MIN_RSA_BITS) {
    return `The key of the signing certificate ${name} has ${modulusLength} bits. ${STRONG_KEY}`
  }
  if (publicExponent < 3n) {
    return `The key of the signing certificate ${name} has the public exponent ${publicExponent}, with which anyone can sign. Sign with another key at the provider.`
  }
  return undefined
}

/** @throws InvalidMetadata - if signatures by a certificate's key would not be accepted */
function assertUsable(certificates: Iterable<string>): void {
  for (const certificate of certificates) {
    const problem = keyProblem(certificate)
    if (problem !== undefined) throw new InvalidMetadata(problem)
  }
}

function readKey(certificate: string): KeyObject | undefined {
  try {
    return createPublicKey(certificatePem(certificate))
  } catch {
    return undefined
  }
}

/** The certificate's subject and fingerprint, by which an administrator finds it. */
function nameOfKey(certificate: string): string {
  const pem = certificatePem(certificate)
  // A bare public key has no name.
  if (!pem.includes('-----BEGIN CERTIFICATE')) return ''
  const { subject, fingerprint256 } = new X509Certificate(pem)
  const name = escapeInvisible((subject ?? '').replaceAll('\n', ', ').slice(0, MAX_NAME_LENGTH))
  return `"${name}" (SHA-256 fingerprint ${fingerprint256})`
}
