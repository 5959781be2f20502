/** Reads the metadata that a SAML provider publishes (SAMLMeta 2.4), as an administrator uploads or pastes it. */
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { escapeInvisible } from '@portico/contracts/text'
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

/** @throws InvalidMetadata */
export function readSamlMetadata(xml: string, allowed = PUBLIC): SamlSettings {
  if (xml.length > MAX_LENGTH) throw new InvalidMetadata('The metadata is too long.')
  const issuers: string[] = []
  const signInUrls: string[] = []
  const signOutUrls: string[] = []
  const certificates = new Set<string>()
  const parser = new SaxesParser({ xmlns: true })
  let depth = 0
  let isProvider = false
  let isSigningKey = false
  let certificate: string | undefined

  parser.on('doctype', () => {
    throw new InvalidMetadata('The metadata must not contain a DOCTYPE.')
  })
  parser.on('error', (error) => {
    throw new InvalidMetadata(`The metadata is not well-formed XML: ${error.message}`)
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    const valueOf = (name: string) => attributes[name]?.value
    depth += 1
    if (depth > MAX_DEPTH) throw new InvalidMetadata('The metadata is nested too deeply.')
    if (uri === SIGNATURE && local === 'X509Certificate' && isSigningKey) certificate = ''
    if (uri !== METADATA) return
    switch (local) {
      case 'EntityDescriptor':
        issuers.push(valueOf('entityID') ?? '')
        return
      case 'IDPSSODescriptor':
        isProvider = true
        return
      case 'KeyDescriptor':
        // Without `use`, a key serves both purposes.
        isSigningKey = isProvider && valueOf('use') !== 'encryption'
        return
      case 'SingleSignOnService':
        if (isProvider && valueOf('Binding') === REDIRECT)
          signInUrls.push(valueOf('Location') ?? '')
        return
      case 'SingleLogoutService':
        if (isProvider && valueOf('Binding') === REDIRECT)
          signOutUrls.push(valueOf('Location') ?? '')
        return
    }
  })
  parser.on('text', (text) => {
    if (certificate !== undefined) certificate += text
  })
  parser.on('closetag', ({ uri, local }) => {
    depth -= 1
    if (uri === SIGNATURE && local === 'X509Certificate' && certificate !== undefined) {
      certificates.add(certificate.replaceAll(/\s/g, ''))
      certificate = undefined
    }
    if (uri !== METADATA) return
    if (local === 'KeyDescriptor') isSigningKey = false
    if (local === 'IDPSSODescriptor') isProvider = false
  })
  parser.write(xml).close()

  const [issuer, ...others] = issuers
  if (issuer === undefined || issuer === '' || others.length > 0) {
    throw new InvalidMetadata('The metadata must describe exactly one provider with an entity ID.')
  }
  const signInUrl = signInUrls.find((url) => isAllowed(url, allowed))
  const signOutUrl = signOutUrls.find((url) => isAllowed(url, allowed))
  if (signInUrl === undefined) {
    throw new InvalidMetadata(
      'The metadata has no https address for sign-in by the HTTP-Redirect binding. Enable that binding at the provider.',
    )
  }
  if (certificates.size === 0) {
    throw new InvalidMetadata('The metadata has no signing certificate.')
  }
  assertUsable(certificates)
  return {
    issuer,
    signInUrl,
    ...(signOutUrl === undefined ? {} : { signOutUrl }),
    certificates: [...certificates],
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
  if (!isAllowed(signInUrl, allowed)) {
    throw new InvalidMetadata('The sign-in address must be an https address.')
  }
  const blocks = certificate.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  const certificates = (blocks ?? [certificate.replaceAll(/\s/g, '')]).map(certificatePem)
  assertUsable(certificates)
  return { issuer: issuer.trim(), signInUrl: signInUrl.trim(), certificates }
}

/** A certificate in PEM. */
export function certificatePem(certificate: string): string {
  return certificate.includes('-----BEGIN')
    ? certificate
    : `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`
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
const MAX_NAME_LENGTH = 100

/**
 * Why signatures by a certificate's key are not accepted, with the key's name; undefined if they are. The libraries verify RSA
 * signatures alone, and would accept keys of any length.
 */
export function keyProblem(certificate: string): string | undefined {
  const key = readKey(certificate)
  if (key === undefined) return 'A signing certificate could not be read.'
  const name = nameOfKey(certificate)
  if (key.asymmetricKeyType !== 'rsa') {
    return `The key of the signing certificate ${name} is of the type ${key.asymmetricKeyType ?? 'unknown'}, whose signatures cannot be verified. Sign with an RSA key of at least ${MIN_RSA_BITS} bits at the provider.`
  }
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  if (modulusLength < MIN_RSA_BITS) {
    return `The key of the signing certificate ${name} has ${modulusLength} bits. Sign with an RSA key of at least ${MIN_RSA_BITS} bits at the provider.`
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
