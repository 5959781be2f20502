/** SAML provider responses for the demonstration and tests: valid ones, and the parts to forge others. */
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { type SignatureAlgorithm, SignedXml } from 'xml-crypto'

export interface SamlKey {
  readonly privateKey: string
  readonly publicKey: string
}

export function samlKey(): SamlKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

const TEN_YEARS_MS = 3650 * 24 * 3600 * 1000

export interface SamlSigningKey {
  /** PEM. */
  readonly privateKey: string
  /** Base64. */
  readonly certificate: string
}

/** A new key with a self-signed certificate. */
export async function samlSigningKey(): Promise<SamlSigningKey> {
  await import('reflect-metadata') // The library for certificates needs it.
  const { PemConverter, X509CertificateGenerator } = await import('@peculiar/x509')
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(
    { ...algorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  )
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=SAML provider ${randomUUID()}`,
    keys,
    notBefore: new Date(),
    notAfter: new Date(Date.now() + TEN_YEARS_MS),
    signingAlgorithm: algorithm,
  })
  const privateKey = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    privateKey: PemConverter.encode(privateKey, 'PRIVATE KEY'),
    certificate: certificate.toString('base64'),
  }
}

export interface ResponseOptions {
  readonly issuer: string
  readonly audience: string
  readonly recipient: string
  readonly requestId: string
  readonly subject: string
  readonly subjectFormat?: string
  readonly sessionIndex?: string
  readonly attributes?: Readonly<Record<string, readonly string[]>>
  /** Relative to now, in milliseconds. */
  readonly notBefore?: number
  readonly notOnOrAfter?: number
  readonly assertionId?: string
  readonly method?: string
  readonly status?: string
}

const NAMESPACES =
  'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"'
const time = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString()

/** An assertion without a signature. */
export function assertionXml({
  issuer,
  audience,
  recipient,
  requestId,
  subject,
  subjectFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  sessionIndex = 'session-1',
  attributes = {},
  notBefore = -60_000,
  notOnOrAfter = 300_000,
  assertionId = `_${randomUUID()}`,
  method = 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
}: ResponseOptions): string {
  const statements = Object.entries(attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  )
  return (
    `<saml:Assertion ${NAMESPACES} ID="${assertionId}" Version="2.0" IssueInstant="${time(0)}">` +
    `<saml:Issuer>${issuer}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${subjectFormat}">${subject}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData InResponseTo="${requestId}" ` +
    `NotOnOrAfter="${time(notOnOrAfter)}" Recipient="${recipient}"/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${time(notBefore)}" NotOnOrAfter="${time(notOnOrAfter)}">` +
    `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${time(0)}" SessionIndex="${sessionIndex}"><saml:AuthnContext>` +
    '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>' +
    '</saml:AuthnContext></saml:AuthnStatement>' +
    (statements.length === 0
      ? ''
      : `<saml:AttributeStatement>${statements.join('')}</saml:AttributeStatement>`) +
    '</saml:Assertion>'
  )
}

/** A response around assertions, without a signature of its own. */
export function responseXml(
  { issuer, recipient, requestId, status = 'Success' }: ResponseOptions,
  content: string,
): string {
  return (
    `<samlp:Response ${NAMESPACES} ID="_${randomUUID()}" Version="2.0" IssueInstant="${time(0)}" ` +
    `Destination="${recipient}" InResponseTo="${requestId}"><saml:Issuer>${issuer}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>` +
    `${content}</samlp:Response>`
  )
}

/** Signs the element that `xpath` selects, after its issuer. */
export function signXml(
  xml: string,
  { privateKey }: Pick<SamlKey, 'privateKey'>,
  { xpath = "//*[local-name()='Assertion']", algorithm = 'rsa-sha256', digest = 'sha256' } = {},
): string {
  const isSha1 = algorithm.endsWith('sha1')
  const signature = new SignedXml({
    privateKey,
    signatureAlgorithm: isSha1
      ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
      : `http://www.w3.org/2001/04/xmldsig-more#${algorithm}`,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  if (algorithm.startsWith('ecdsa')) {
    const name = `http://www.w3.org/2001/04/xmldsig-more#${algorithm}`
    signature.SignatureAlgorithms[name] = ecdsaSigner(
      name,
      algorithm.replace('ecdsa-', ''),
      privateKey,
    )
  }
  signature.addReference({
    xpath,
    digestAlgorithm:
      digest === 'sha1'
        ? 'http://www.w3.org/2000/09/xmldsig#sha1'
        : `http://www.w3.org/2001/04/xmlenc#${digest}`,
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
  })
  signature.computeSignature(xml, {
    location: { reference: `${xpath}/*[local-name()='Issuer']`, action: 'after' },
  })
  return signature.getSignedXml()
}

function ecdsaSigner(name: string, hash: string, privateKey: string): new () => SignatureAlgorithm {
  return class {
    getAlgorithmName = () => name
    getSignature = (text: Parameters<SignatureAlgorithm['getSignature']>[0]) =>
      createSign(hash).update(text).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' }, 'base64')
    verifySignature = () => {
      throw new Error('This algorithm only signs.')
    }
  }
}

export const encoded = (xml: string) => Buffer.from(xml).toString('base64')
