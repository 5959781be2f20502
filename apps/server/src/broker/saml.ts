/** The SAML 2.0 adapter. The message code is loaded with the first login, because few installations use it. */
import { randomUUID } from 'node:crypto'
import { emailAddress } from '@portico/contracts/email-address'
import { parseJson } from '@portico/contracts/parse-json'
import * as z from 'zod/mini'
import { assertSubject, type IdentityProvider, nameIn } from './identity-provider.ts'
import type { SamlPerson, SamlServiceProvider } from './saml-messages.ts'
import type { SamlSettings } from './saml-metadata.ts'

/** The names of the attributes to read, if not the usual ones. */
export const AttributeNames = z.object({
  email: z.optional(z.string()),
  firstName: z.optional(z.string()),
  lastName: z.optional(z.string()),
  groups: z.optional(z.string()),
})

const EMAIL_NAMES = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]
const FIRST_NAMES = [
  'firstName',
  'givenName',
  'urn:oid:2.5.4.42',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
]
const LAST_NAMES = [
  'lastName',
  'sn',
  'urn:oid:2.5.4.4',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
]
const GROUP_NAMES = [
  'groups',
  'memberOf',
  'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
]
/** Entra ID sends it instead of the groups of a person who is in more than 150. */
const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link'
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

/** The values that a response is verified against. */
const Checks = z.object({ requestId: z.string() })

/** What is needed to end a session at the provider. */
const SessionProof = z.object({
  subject: z.string(),
  subjectFormat: z.optional(z.string()),
  nameQualifier: z.optional(z.string()),
  spNameQualifier: z.optional(z.string()),
  sessionIndex: z.optional(z.string()),
})

/** The form field with the provider's response; `complete` reads it from the parameters. */
export const SAML_RESPONSE = 'SAMLResponse'
/** The parameter with the state. */
export const RELAY_STATE = 'RelayState'

export function samlProvider({
  settings,
  service,
  attributes: names,
}: {
  readonly settings: SamlSettings
  readonly service: SamlServiceProvider
  readonly attributes: z.output<typeof AttributeNames>
}): IdentityProvider {
  const open = async () => {
    const { samlMessages } = await import('./saml-messages.ts')
    return samlMessages(settings, service)
  }
  // An XML ID begins with a letter or an underscore.
  const newRequestId = () => `_${randomUUID()}`
  return {
    async begin({ state, loginHint, choosesAccount }) {
      const requestId = newRequestId()
      const saml = await open()
      return {
        redirect: await saml.signInUrl(requestId, {
          relayState: state,
          loginHint,
          forceAuthn: choosesAccount,
        }),
        checks: JSON.stringify({ requestId }),
      }
    },
    async complete({ search, checks }) {
      const { requestId } = Checks.parse(parseJson(checks))
      const response = new URLSearchParams(search).get(SAML_RESPONSE) ?? ''
      const saml = await open()
      const { attributes, ...session } = await saml.verify(response, requestId)
      assertSubject(session.subject)
      return {
        ...personIn({ attributes, ...session }, names),
        claims: { NameID: session.subject, ...attributes },
        sessionProof: JSON.stringify(session),
      }
    },
    async logoutUrl({ proof }) {
      if (settings.signOutUrl === undefined || proof === undefined) return undefined
      const session = SessionProof.parse(parseJson(proof))
      const saml = await open()
      return saml.signOutUrl(newRequestId(), session)
    },
  }
}

function personIn(
  { subject, subjectFormat, attributes }: SamlPerson,
  names: z.output<typeof AttributeNames>,
) {
  const valuesOf = (name: string | undefined, usual: readonly string[]): readonly string[] =>
    (name === undefined ? usual : [name]).flatMap((each) => attributes[each] ?? [])
  const [email = subjectFormat === EMAIL_FORMAT ? subject : ''] = valuesOf(names.email, EMAIL_NAMES)
  const [givenName] = valuesOf(names.firstName, FIRST_NAMES)
  const [familyName] = valuesOf(names.lastName, LAST_NAMES)
  return {
    person: {
      subject,
      email: emailAddress(email),
      emailVerified: undefined,
      groups: valuesOf(names.groups, GROUP_NAMES),
      groupsOmitted: Object.hasOwn(attributes, GROUPS_LINK),
    },
    names: { givenName: nameIn(givenName), familyName: nameIn(familyName) },
  }
}
