/**
 * The messages of SAML 2.0 (SAMLProf 4.1): the request by redirect, the response by POST. `samlshield` rejects suspicious
 * documents, `xml-crypto` verifies the signature of the assertion or of the response around it, and `node-saml` checks the audience and
 * the validity period. The rest is checked here, on the text that the signature covers and nothing else: the issuer, the recipient, the
 * request it responds to. SHA-1 and keys that can be broken do not count.
 */
import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { validateSAMLResponse } from '@stytch/samlshield'
import { SaxesParser } from 'saxes'
import * as z from 'zod/mini'
import { ProviderError } from './identity-provider.ts'
import { keyProblem, type SamlSettings } from './saml-metadata.ts'
import { childrenOf, parseXml, verifiedText, xmlOf } from './saml-signatures.ts'

/** Our side, as the provider's administrator enters it. */
export interface SamlServiceProvider {
  readonly entityId: string
  /** The assertion consumer service: where the provider's responses arrive. */
  readonly callbackUrl: string
  /** Where the provider returns the browser after a logout. */
  readonly logoutCallbackUrl: string
}

/** Identifies a person's session at the provider. */
export type SamlSession = Omit<SamlPerson, 'attributes'>

export interface SamlPerson {
  /** The NameID: a person's key at this provider. */
  readonly subject: string
  readonly subjectFormat?: string | undefined
  readonly nameQualifier?: string | undefined
  readonly spNameQualifier?: string | undefined
  readonly sessionIndex?: string | undefined
  readonly attributes: Readonly<Record<string, readonly string[]>>
}

const CLOCK_SKEW_MS = 60_000
/** Larger than the response of a person with hundreds of groups. */
const MAX_RESPONSE_LENGTH = 256 * 1024
const SHA1 = /sha1\s*$/i
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#'
const STATUS_PREFIX = 'urn:oasis:names:tc:SAML:2.0:status:'
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** `node-saml` with access to its checks of an assertion whose signature was verified here. */
class AssertionChecks extends SAML {
  async check(assertion: string, requestId: string): Promise<unknown> {
    const { profile } = await this.processValidlySignedAssertionAsync(assertion, '', requestId)
    return profile.getAssertion?.()
  }
}

export function samlMessages(settings: SamlSettings, service: SamlServiceProvider) {
  // Settings that were saved before keys were checked at set-up may contain weak ones.
  const problems = new Map(
    settings.certificates.map((certificate) => [certificate, keyProblem(certificate)]),
  )
  const accepted = settings.certificates.filter((each) => problems.get(each) === undefined)
  const refusedKeys = [...problems.values()].filter((problem) => problem !== undefined)
  const client = (requestId: string, { forceAuthn = false } = {}) =>
    new AssertionChecks({
      forceAuthn,
      // Required, but signatures are verified here.
      idpCert: [...settings.certificates],
      issuer: service.entityId,
      callbackUrl: service.callbackUrl,
      entryPoint: settings.signInUrl,
      logoutUrl: settings.signOutUrl ?? '',
      audience: service.entityId,
      identifierFormat: null,
      disableRequestedAuthnContext: true,
      acceptedClockSkewMs: CLOCK_SKEW_MS,
      generateUniqueId: () => requestId,
      // Requests are remembered in the stored login, on all nodes. This check only needs the request of this response.
      validateInResponseTo: ValidateInResponseTo.always,
      cacheProvider: {
        saveAsync: async () => null,
        getAsync: async (id) => (id === requestId ? new Date().toISOString() : null),
        removeAsync: async () => null,
      },
    })

  return {
    /** The address at the provider where the person signs in. */
    signInUrl: (
      requestId: string,
      {
        relayState,
        loginHint,
        forceAuthn = false,
      }: { relayState: string; loginHint: string | undefined; forceAuthn?: boolean },
    ): Promise<string> =>
      client(requestId, { forceAuthn }).getAuthorizeUrlAsync(relayState, undefined, {
        // Not a SAML parameter, but Entra ID, Okta and others prefill the address from it.
        additionalParams: loginHint === undefined ? {} : { login_hint: loginHint },
      }),

    /** The address at the provider where the person's session ends. */
    signOutUrl: (requestId: string, person: SamlSession): Promise<string> =>
      client(requestId).getLogoutUrlAsync(
        {
          issuer: settings.issuer,
          nameID: person.subject,
          nameIDFormat: person.subjectFormat ?? UNSPECIFIED,
          ...(person.nameQualifier && { nameQualifier: person.nameQualifier }),
          ...(person.spNameQualifier && { spNameQualifier: person.spNameQualifier }),
          ...(person.sessionIndex && { sessionIndex: person.sessionIndex }),
        },
        '',
        {},
      ),

    /** @throws ProviderError - with a message for the log and the administrator's test, never for the user */
    async verify(response: string, requestId: string): Promise<SamlPerson> {
      if (response.length > MAX_RESPONSE_LENGTH) throw invalid('The response is too long.')
      try {
        // XML 2.11: a signature covers the text with normalized line breaks.
        const xml = Buffer.from(response, 'base64').toString().trim().replaceAll(/\r\n?/g, '\n')
        const { statuses, message, isEncrypted, hasSha1 } = readOutline(xml)
        // Providers seldom sign this, and it signs no user in.
        if (statuses.length > 0 && statuses[0] !== SUCCESS) throw declined(statuses, message)
        if (isEncrypted) {
          throw invalid(
            'The assertion is encrypted, and we have no key for it. Turn off the encryption of assertions at the provider.',
          )
        }
        if (hasSha1) {
          throw invalid('The response is signed with SHA-1. Choose SHA-256 at the provider.')
        }
        if (accepted.length === 0) throw invalid(refusedKeys.join(' '))
        await validateSAMLResponse({ response_xml: Buffer.from(xml).toString('base64') })
        const root = parseXml(xml)
        assertAnswers(root, requestId)
        const { assertion, signedResponse } = verifiedParts(xml, root)
        if (signedResponse !== undefined) assertAddressed(signedResponse, { settings, service })
        trimValues(assertion)
        const document = await client(requestId).check(xmlOf(assertion), requestId)
        return readAssertion(document, { settings, service, requestId })
      } catch (error) {
        if (error instanceof ProviderError) throw error
        if (!(error instanceof Error)) throw error
        throw new ProviderError('invalid-answer', error.message, { cause: error })
      }
    },
  }

  /**
   * The assertion and, if it is signed, the response around it, as their signatures cover them. Every signature that one of them has
   * must be valid.
   */
  function verifiedParts(xml: string, root: Element) {
    const verify = (element: Element) => {
      try {
        return verifiedText(xml, element, accepted)
      } catch (error) {
        if (!(error instanceof Error)) throw error
        // The response may be signed with one of the keys that are not accepted.
        throw invalid([error.message, ...refusedKeys].join(' '), error)
      }
    }
    const response = verify(root)
    const assertion = verify(assertionIn(root))
    if (response !== undefined) {
      const signedResponse = parseXml(response)
      return { assertion: assertionIn(signedResponse), signedResponse }
    }
    if (assertion === undefined) {
      throw invalid(
        'Invalid signature: neither the assertion nor the response has a signature of its own. The assertion must be signed.',
      )
    }
    return { assertion: parseXml(assertion), signedResponse: undefined }
  }
}

/** The only assertion of a response. */
function assertionIn(response: Element): Element {
  const [assertion, ...others] = childrenOf(response, ASSERTION, 'Assertion')
  if (response.namespaceURI !== PROTOCOL || response.localName !== 'Response') {
    throw invalid('The document is not a response.')
  }
  if (assertion === undefined || others.length > 0) {
    throw invalid(
      'Invalid signature: location mismatch. The response must have exactly one assertion.',
    )
  }
  return assertion
}

const attributeOf = (element: Element, name: string) => element.getAttributeNode(name)?.value.trim()

function assertAnswers(response: Element, requestId: string): void {
  const inResponseTo = attributeOf(response, 'InResponseTo')
  if (inResponseTo === undefined) throw invalid('InResponseTo is missing from response')
  if (inResponseTo !== requestId) throw invalid('InResponseTo is not valid')
}

/** SAMLBind 3.5.5.2: a signed response names where it was sent. */
function assertAddressed(
  response: Element,
  { settings, service }: { settings: SamlSettings; service: SamlServiceProvider },
): void {
  const destination = attributeOf(response, 'Destination')
  if (destination !== undefined && destination !== '' && destination !== service.callbackUrl) {
    throw invalid(
      `The response was not made for ${service.callbackUrl}: its Destination is ${destination}.`,
    )
  }
  const [issuer] = childrenOf(response, ASSERTION, 'Issuer')
  if (issuer !== undefined) assertIssuer(issuer.textContent, settings)
}

function assertIssuer(issuer: string | null, settings: SamlSettings): void {
  const found = (issuer ?? '').trim()
  const expected = settings.issuer.trim()
  if (found !== expected) throw invalid(`The issuer is ${found}, expected ${expected}.`)
}

/**
 * Removes the white space with which documents are laid out. Names and attributes keep spaces on one line: a provider may let people
 * choose them, and "admin " is not "admin".
 */
function trimValues(assertion: Element): void {
  for (const element of Array.from(assertion.getElementsByTagName('*'))) {
    for (const { name, value } of Array.from(element.attributes)) {
      if (TRIMMED_ATTRIBUTES.includes(name)) element.setAttribute(name, value.trim())
    }
    const text = element.textContent ?? ''
    const isText = Array.from(element.childNodes).every((node) => node.nodeType === node.TEXT_NODE)
    if (!isText || element.namespaceURI !== ASSERTION) continue
    const trimmed = ['Issuer', 'Audience'].includes(element.localName)
      ? text.trim()
      : withoutLayout(text)
    if (trimmed !== text) element.textContent = trimmed
  }
}

function withoutLayout(text: string): string {
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  const from = text.slice(0, start).includes('\n') ? start : 0
  return text.slice(from, text.slice(end).includes('\n') ? end : undefined)
}

const TRIMMED_ATTRIBUTES = [
  'Recipient',
  'InResponseTo',
  'NotBefore',
  'NotOnOrAfter',
  'Method',
  'Format',
]

/** Our metadata, for the provider's administrator. */
export function metadataOf({
  entityId,
  callbackUrl,
  logoutCallbackUrl,
}: SamlServiceProvider): string {
  return generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl,
    logoutCallbackUrl,
    wantAssertionsSigned: true,
    identifierFormat: PERSISTENT,
  })
}

/** Reads the status and rejects malformed documents, which the libraries' parser would repair and report on stderr. */
function readOutline(xml: string) {
  const outline = { statuses: [] as string[], message: '', isEncrypted: false, hasSha1: false }
  const path: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('doctype', () => {
    throw invalid('The response must not contain a DOCTYPE.')
  })
  parser.on('error', (error) => {
    throw invalid(`The response is not well-formed XML: ${error.message}`)
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    if (uri === PROTOCOL && local === 'StatusCode') {
      outline.statuses.push(attributes['Value']?.value.trim() ?? '')
    }
    if (uri === ASSERTION && local === 'EncryptedAssertion') outline.isEncrypted = true
    const isOfSignature =
      uri === SIGNATURE &&
      (local === 'SignatureMethod' || local === 'DigestMethod') &&
      // An encrypted key names the digest of its padding in the same element, where SHA-1 is not weak.
      path.at(-1) !== `${ENCRYPTION} EncryptionMethod`
    if (isOfSignature && SHA1.test(attributes['Algorithm']?.value ?? '')) outline.hasSha1 = true
    path.push(`${uri} ${local}`)
  })
  parser.on('closetag', () => {
    path.pop()
  })
  const addText = (text: string) => {
    if (path.at(-1) === `${PROTOCOL} StatusMessage`) outline.message += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(xml).close()
  return outline
}

const MAX_STATUS_LENGTH = 300

/** With all the reasons that the provider gave. */
function declined(statuses: readonly string[], message: string): ProviderError {
  const [first, ...others] = statuses
  const more = others.map((each) => each.replace(STATUS_PREFIX, ''))
  const text = message.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_STATUS_LENGTH)
  const said = text === '' ? '' : ` It says: ${text}`
  return new ProviderError(
    'declined',
    `The provider answered with the status ${[first, ...more].join(', ').slice(0, MAX_STATUS_LENGTH)}.${said}`,
  )
}

const invalid = (message: string, cause?: Error) =>
  new ProviderError('invalid-answer', message, { cause })

/** XML as `xml2js` parses it: text is `_` or the value itself, attributes are `$`. */
const Text = z.union([z.string(), z.object({ _: z.optional(z.string()) })])
const textOf = (text: z.output<typeof Text>) => (typeof text === 'string' ? text : (text._ ?? ''))
const single = <Schema extends z.ZodMiniType>(schema: Schema) => z.tuple([schema])

const Assertion = z.object({
  Assertion: z.object({
    Issuer: single(Text),
    Subject: single(
      z.object({
        NameID: single(
          z.object({
            _: z.string().check(z.minLength(1), z.maxLength(256)),
            $: z.optional(
              z.object({
                Format: z.optional(z.string()),
                NameQualifier: z.optional(z.string()),
                SPNameQualifier: z.optional(z.string()),
              }),
            ),
          }),
        ),
        SubjectConfirmation: z.array(
          z.object({
            $: z.object({ Method: z.string() }),
            SubjectConfirmationData: z.optional(
              single(
                z.object({
                  $: z.object({
                    Recipient: z.optional(z.string()),
                    InResponseTo: z.optional(z.string()),
                    NotOnOrAfter: z.optional(z.string()),
                  }),
                }),
              ),
            ),
          }),
        ),
      }),
    ),
    AuthnStatement: z
      .array(z.object({ $: z.object({ SessionIndex: z.optional(z.string()) }) }))
      .check(z.minLength(1)),
    AttributeStatement: z.optional(
      z.array(
        z.object({
          Attribute: z.optional(
            z.array(
              z.object({
                $: z.object({ Name: z.string() }),
                AttributeValue: z.optional(z.array(z.unknown())),
              }),
            ),
          ),
        }),
      ),
    ),
  }),
})

function readAssertion(
  document: unknown,
  {
    settings,
    service,
    requestId,
  }: { settings: SamlSettings; service: SamlServiceProvider; requestId: string },
): SamlPerson {
  const parsed = Assertion.safeParse(document)
  if (!parsed.success) {
    throw invalid(
      `The assertion is not as expected: ${parsed.error.issues.map(({ path }) => path.filter((part) => part !== 0).join('.')).join(', ')} is missing, repeated or empty.`,
    )
  }
  const assertion = parsed.data.Assertion
  assertIssuer(textOf(assertion.Issuer[0]), settings)
  const [{ NameID, SubjectConfirmation }] = assertion.Subject
  const problems = SubjectConfirmation.map(({ $, SubjectConfirmationData: data }) => {
    const confirmation = data?.[0].$
    if ($.Method !== BEARER) return `it is confirmed by ${$.Method} instead of the bearer`
    if (confirmation?.Recipient !== service.callbackUrl) {
      return `its Recipient is ${confirmation?.Recipient ?? 'missing'}`
    }
    if (confirmation.InResponseTo !== requestId) return 'its InResponseTo names another sign-in'
    const isCurrent = Date.parse(confirmation.NotOnOrAfter ?? '') + CLOCK_SKEW_MS > Date.now()
    return isCurrent ? undefined : 'its subject confirmation is too old'
  })
  if (problems.every((problem) => problem !== undefined)) {
    throw invalid(
      `The assertion was not made for ${service.callbackUrl}: ${problems.join('; ') || 'its subject has no confirmation'}.`,
    )
  }
  const [{ _: subject, $: name }] = NameID
  if (name?.Format === TRANSIENT) {
    throw invalid('The name identifier is transient. Choose a persistent one at the provider.')
  }
  return {
    subject,
    subjectFormat: name?.Format,
    nameQualifier: name?.NameQualifier,
    spNameQualifier: name?.SPNameQualifier,
    sessionIndex: assertion.AuthnStatement[0]?.$.SessionIndex,
    attributes: attributesOf(assertion),
  }
}

function attributesOf({
  AttributeStatement: statements = [],
}: z.output<typeof Assertion>['Assertion']): SamlPerson['attributes'] {
  const values = statements.flatMap(({ Attribute = [] }) =>
    Attribute.flatMap(({ $, AttributeValue = [] }) =>
      AttributeValue.flatMap((value) => {
        const text = Text.safeParse(value)
        return text.success ? { name: $.Name, value: textOf(text.data) } : []
      }),
    ),
  )
  // Some providers send a separate attribute for each value, such as each group.
  const attributes = Map.groupBy(values, ({ name }) => name)
  return Object.fromEntries(
    [...attributes].map(([name, all]) => [name, all.map(({ value }) => value)]),
  )
}
