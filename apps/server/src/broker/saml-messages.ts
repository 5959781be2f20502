/**
 * The messages of SAML 2.0 (SAMLProf 4.1): the request by redirect, the response by POST. `samlshield` rejects suspicious
 * documents, and `node-saml` verifies the signature and the validity period. The rest is checked here, on the signed
 * assertion alone: the issuer, the recipient, the request it responds to, and that SHA-1 was not used. Only keys that cannot be broken
 * are given to the libraries.
 */
import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { validateSAMLResponse } from '@stytch/samlshield'
import { SaxesParser } from 'saxes'
import * as z from 'zod/mini'
import { ProviderError } from './identity-provider.ts'
import { keyProblem, type SamlSettings } from './saml-metadata.ts'

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
/** The algorithms of signatures and digests. */
const SHA1 = /Algorithm\s*=\s*["'][^"']*sha1\s*["']/i
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

export function samlMessages(settings: SamlSettings, service: SamlServiceProvider) {
  // Settings that were saved before keys were checked at set-up may contain weak ones.
  const problems = new Map(
    settings.certificates.map((certificate) => [certificate, keyProblem(certificate)]),
  )
  const accepted = settings.certificates.filter((each) => problems.get(each) === undefined)
  const refusedKeys = [...problems.values()].filter((problem) => problem !== undefined)
  const client = (
    requestId: string,
    { certificates = settings.certificates, forceAuthn = false } = {},
  ) =>
    new SAML({
      forceAuthn,
      idpCert: [...certificates],
      issuer: service.entityId,
      callbackUrl: service.callbackUrl,
      entryPoint: settings.signInUrl,
      logoutUrl: settings.signOutUrl ?? '',
      audience: service.entityId,
      identifierFormat: null,
      disableRequestedAuthnContext: true,
      // The assertion is what signs the user in; many providers sign nothing else.
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: false,
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
        const xml = Buffer.from(response, 'base64').toString()
        const status = readStatus(xml)
        // Providers seldom sign this, and it signs no user in.
        if (status !== undefined && status !== SUCCESS) {
          throw new ProviderError('declined', `The provider answered with the status ${status}.`)
        }
        if (SHA1.test(xml)) {
          throw invalid('The response is signed with SHA-1. Choose SHA-256 at the provider.')
        }
        if (accepted.length === 0) throw invalid(refusedKeys.join(' '))
        await validateSAMLResponse({ response_xml: response })
        const { profile } = await client(requestId, { certificates: accepted })
          .validatePostResponseAsync({ SAMLResponse: response })
          .catch((error: Error) => {
            // The response may be signed with one of the keys that are not accepted.
            throw invalid([error.message, ...refusedKeys].join(' '), error)
          })
        if (profile === null) throw invalid('The response has no assertion.')
        return readAssertion(profile.getAssertion?.(), { settings, service, requestId })
      } catch (error) {
        if (error instanceof ProviderError) throw error
        if (!(error instanceof Error)) throw error
        throw new ProviderError('invalid-answer', error.message, { cause: error })
      }
    },
  }
}

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
function readStatus(xml: string): string | undefined {
  let status: string | undefined
  const parser = new SaxesParser({ xmlns: true })
  parser.on('doctype', () => {
    throw invalid('The response must not contain a DOCTYPE.')
  })
  parser.on('error', (error) => {
    throw invalid(`The response is not well-formed XML: ${error.message}`)
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    if (uri === PROTOCOL && local === 'StatusCode') status ??= attributes['Value']?.value
  })
  parser.write(xml).close()
  return status
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
      `The assertion is not as expected: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`,
    )
  }
  const assertion = parsed.data.Assertion
  const issuer = textOf(assertion.Issuer[0])
  if (issuer !== settings.issuer) {
    throw invalid(`The issuer is ${issuer}, expected ${settings.issuer}.`)
  }
  const [{ NameID, SubjectConfirmation }] = assertion.Subject
  const isConfirmed = SubjectConfirmation.some(({ $, SubjectConfirmationData: data }) => {
    const confirmation = data?.[0].$
    return (
      $.Method === BEARER &&
      confirmation?.Recipient === service.callbackUrl &&
      confirmation.InResponseTo === requestId &&
      Date.parse(confirmation.NotOnOrAfter ?? '') + CLOCK_SKEW_MS > Date.now()
    )
  })
  if (!isConfirmed) {
    throw invalid(
      `The assertion was not made for ${service.callbackUrl} and this sign-in, or is too old.`,
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
