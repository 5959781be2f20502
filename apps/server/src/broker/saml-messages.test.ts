import { generateKeyPairSync } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { beforeAll, expect, test, vi } from 'vitest'
import { ProviderError } from './identity-provider.ts'
import { metadataOf, samlMessages } from './saml-messages.ts'
import {
  assertionXml,
  encoded,
  type ResponseOptions,
  responseXml,
  type SamlKey,
  samlKey,
  signXml,
} from './saml-responses.ts'

const SERVICE = {
  entityId: 'https://portico.example/identity-broker/saml/1',
  callbackUrl: 'https://portico.example/identity-broker/customer/callback/1',
  logoutCallbackUrl: 'https://portico.example/identity-broker/customer/logout/1',
}
const REQUEST = '_3c9a'
const OPTIONS: ResponseOptions = {
  issuer: 'https://idp.lender.example/metadata',
  audience: SERVICE.entityId,
  recipient: SERVICE.callbackUrl,
  requestId: REQUEST,
  subject: 'ada',
  attributes: { mail: ['ada@lender.example'], groups: ['brokers', 'managers'] },
}

let key: SamlKey
let stranger: SamlKey
let saml: ReturnType<typeof samlMessages>

beforeAll(() => {
  key = samlKey()
  stranger = samlKey()
  saml = samlMessages(
    {
      issuer: OPTIONS.issuer,
      signInUrl: 'https://idp.lender.example/sso?tenant=1',
      certificates: [key.publicKey],
    },
    SERVICE,
  )
})

const signed = (options: Partial<ResponseOptions> = {}, signer = key) => {
  const all = { ...OPTIONS, ...options }
  return signXml(responseXml(all, assertionXml(all)), signer)
}
const verify = (xml: string) => saml.verify(encoded(xml), REQUEST)

test('a signed assertion logs its subject in', async () => {
  expect(await verify(signed())).toEqual({
    subject: 'ada',
    subjectFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    sessionIndex: 'session-1',
    attributes: { mail: ['ada@lender.example'], groups: ['brokers', 'managers'] },
  })
})

test.each([
  ['weak', generateKeyPairSync('rsa', { modulusLength: 1024 }), 'has 1024 bits'],
  ['forgeable', generateKeyPairSync('rsa', { modulusLength: 512 }), 'has 512 bits'],
  [
    'on a curve that is not accepted',
    generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
    'is on the curve secp256k1',
  ],
])(
  'a saved key that is %s signs no one in, and the error names the key',
  async (_, pair, problem) => {
    const weak = {
      privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    }
    const settings = { issuer: OPTIONS.issuer, signInUrl: 'https://idp.lender.example/sso' }
    const open = (...certificates: string[]) => samlMessages({ ...settings, certificates }, SERVICE)
    const signedWeakly = encoded(
      pair.privateKey.asymmetricKeyType === 'rsa' ? signed({}, weak) : signed(),
    )
    await expect(open(weak.publicKey).verify(signedWeakly, REQUEST)).rejects.toThrow(problem)
    // Beside a good key it counts for nothing either.
    const both = open(weak.publicKey, stranger.publicKey)
    await expect(both.verify(signedWeakly, REQUEST)).rejects.toThrow(problem)
    expect(await both.verify(encoded(signed({}, stranger)), REQUEST)).toMatchObject({
      subject: 'ada',
    })
  },
)

test('an attribute repeated with one value each yields all values', async () => {
  const xml = replaced(
    responseXml(OPTIONS, assertionXml(OPTIONS)),
    '</saml:AttributeStatement>',
    '<saml:Attribute Name="groups"><saml:AttributeValue>underwriters</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>',
  )
  const { attributes } = await verify(signXml(xml, key))
  expect(attributes['groups']).toEqual(['brokers', 'managers', 'underwriters'])
})

test('a response that is also signed is accepted', async () => {
  const both = signXml(signed(), key, { xpath: "/*[local-name()='Response']" })
  expect(await verify(both)).toMatchObject({ subject: 'ada' })
})

/** As Google's "Signed response", Keycloak's "Sign Documents" and Shibboleth send it. */
const RESPONSE = { xpath: "/*[local-name()='Response']" }
const signedAround = (options: Partial<ResponseOptions> = {}, signer = key) => {
  const all = { ...OPTIONS, ...options }
  return signXml(responseXml(all, assertionXml(all)), signer, RESPONSE)
}

test('a valid signature on the response covers its assertion', async () => {
  expect(await verify(signedAround())).toMatchObject({
    subject: 'ada',
    attributes: { groups: ['brokers', 'managers'] },
  })
})

test.each([
  ['P-256', 'ecdsa-sha256'],
  ['P-384', 'ecdsa-sha384'],
])('a signature by a key of %s is verified', async (namedCurve, algorithm) => {
  const pair = generateKeyPairSync('ec', { namedCurve })
  const elliptic = {
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
  const settings = { issuer: OPTIONS.issuer, signInUrl: 'https://idp.lender.example/sso' }
  const provider = samlMessages(
    { ...settings, certificates: [key.publicKey, elliptic.publicKey] },
    SERVICE,
  )
  for (const options of [{ algorithm }, { algorithm, ...RESPONSE }]) {
    const xml = signXml(responseXml(OPTIONS, assertionXml(OPTIONS)), elliptic, options)
    expect(await provider.verify(encoded(xml), REQUEST)).toMatchObject({ subject: 'ada' })
    await expect(verify(xml)).rejects.toThrow('Invalid signature')
    const changed = replaced(xml, '>ada</saml:NameID>', '>boss</saml:NameID>')
    await expect(provider.verify(encoded(changed), REQUEST)).rejects.toThrow('Invalid signature')
  }
})

test('the white space of a laid-out document does not count', async () => {
  const xml = responseXml(OPTIONS, assertionXml(OPTIONS))
    .replaceAll(
      /<(saml:(?:Issuer|Audience|NameID|AttributeValue)[^>]*)>([^<]*)</g,
      '<$1>\r\n  $2\n  <',
    )
    .replace(/Recipient="([^"]*)"/, 'Recipient=" $1 "')
    .replace(/Destination="([^"]*)"/, 'Destination=" $1"')
  for (const laidOut of [
    signXml(xml, key),
    signXml(xml, key, RESPONSE),
    `\uFEFF\n${signXml(xml, key)}\n`,
  ]) {
    expect(await verify(laidOut)).toMatchObject({
      subject: 'ada',
      attributes: { mail: ['ada@lender.example'], groups: ['brokers', 'managers'] },
    })
  }
})

test('a space in a name is part of it: "ada " is not "ada"', async () => {
  expect(await verify(signed({ subject: 'ada ' }))).toMatchObject({ subject: 'ada ' })
})

test('a refusal of the provider is shown with every status and its message', async () => {
  const xml = replaced(
    responseXml({ ...OPTIONS, status: 'Responder' }, ''),
    'Responder"/>',
    'Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:RequestDenied"/></samlp:StatusCode><samlp:StatusMessage>\n Not assigned to\n this application</samlp:StatusMessage>',
  )
  await expect(verify(xml)).rejects.toMatchObject({
    code: 'declined',
    message:
      'The provider answered with the status urn:oasis:names:tc:SAML:2.0:status:Responder, RequestDenied. It says: Not assigned to this application',
  })
})

test('an encrypted assertion is named, and the digest of its padding is not a signature', async () => {
  const xml = responseXml(
    OPTIONS,
    '<saml:EncryptedAssertion><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"><DigestMethod xmlns="http://www.w3.org/2000/09/xmldsig#" Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"/></xenc:EncryptionMethod></xenc:EncryptedKey></xenc:EncryptedData></saml:EncryptedAssertion>',
  )
  await expect(verify(xml)).rejects.toThrow('The assertion is encrypted')
})

test('the request names our address and is sent with the state', async () => {
  const url = new URL(
    await saml.signInUrl(REQUEST, { relayState: 'nonce', loginHint: 'ada@lender.example' }),
  )
  expect(url.searchParams.get('tenant')).toBe('1')
  expect(url.searchParams.get('RelayState')).toBe('nonce')
  expect(url.searchParams.get('login_hint')).toBe('ada@lender.example')
  const request = inflateRawSync(
    Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64'),
  ).toString()
  expect(request).toContain(`ID="${REQUEST}"`)
  expect(request).toContain(SERVICE.callbackUrl)
  expect(metadataOf(SERVICE)).toContain(SERVICE.callbackUrl)
})

/** The document with one part replaced, which must exist. */
function replaced(xml: string, from: string | RegExp, to: string): string {
  const result = xml.replace(from, to)
  if (result === xml) throw new Error(`Not found: ${from}`)
  return result
}

const SIGNATURE = /<Signature[\s\S]*?<\/Signature>/
const ASSERTION = /<saml:Assertion[\s\S]*<\/saml:Assertion>/
const part = (xml: string, pattern: RegExp) => pattern.exec(xml)?.[0] ?? ''
/** An assertion about another person, forged by the attacker. */
const forged = () => assertionXml({ ...OPTIONS, subject: 'boss' })

/** Each with part of the expected reason, so that none is rejected merely because it is malformed. */
const FORGERIES: readonly (readonly [string, string, () => string])[] = [
  ['without a signature', 'must be signed', () => responseXml(OPTIONS, assertionXml(OPTIONS))],
  [
    'with an empty signature',
    'Invalid signature',
    () => replaced(signed(), /<SignatureValue>[^<]*/, '<SignatureValue>'),
  ],
  ['after its signature was removed', 'must be signed', () => replaced(signed(), SIGNATURE, '')],
  ['signed with another key', 'Invalid signature', () => signed({}, stranger)],
  [
    'signed with another key that it contains itself',
    'Invalid signature',
    () =>
      replaced(
        signed({}, stranger),
        '</Signature>',
        `<KeyInfo><X509Data><X509Certificate>${stranger.publicKey.replace(/-----[^-]*-----|\n/g, '')}</X509Certificate></X509Data></KeyInfo></Signature>`,
      ),
  ],
  [
    'with another person',
    'Invalid signature',
    () => replaced(signed(), '>ada</saml:NameID>', '>boss</saml:NameID>'),
  ],
  [
    'with another attribute',
    'Invalid signature',
    () => replaced(signed(), '>ada@lender', '>boss@lender'),
  ],
  [
    'with an attribute that was added',
    'Invalid signature',
    () =>
      replaced(
        signed(),
        '</saml:AttributeStatement>',
        '<saml:Attribute Name="role"><saml:AttributeValue>admin</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>',
      ),
  ],
  ['with a comment in the name', 'comments', () => replaced(signed(), '>ada<', '>a<!-- -->da<')],
  [
    'with a comment in an attribute',
    'comments',
    () => replaced(signed(), '>ada@lender', '>ada@<!---->lender'),
  ],
  [
    'with a processing instruction in the name',
    'processing instructions',
    () => replaced(signed(), '>ada<', '>a<?x?>da<'),
  ],
  ['with a DOCTYPE', 'DOCTYPE', () => `<!DOCTYPE r [<!ELEMENT r ANY>]>${signed()}`],
  [
    'with an entity for the name',
    'DOCTYPE',
    () => `<!DOCTYPE r [<!ENTITY who "boss">]>${replaced(signed(), '>ada<', '>&who;<')}`,
  ],
  [
    'with an external entity',
    'DOCTYPE',
    () =>
      `<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]>${replaced(signed(), '>ada<', '>&f;<')}`,
  ],
  ['of another issuer', 'The issuer is', () => signed({ issuer: 'https://idp.other.example' })],
  [
    'for another audience',
    'audience mismatch',
    () => signed({ audience: 'https://portico.example/other' }),
  ],
  [
    'for the endpoint of agents',
    'was not made for',
    () => signed({ recipient: SERVICE.callbackUrl.replace('customer', 'agent') }),
  ],
  ['for another request', 'InResponseTo', () => signed({ requestId: '_other' })],
  [
    'for another request in the assertion only',
    'InResponseTo',
    () => {
      const other = { ...OPTIONS, requestId: '_other' }
      return signXml(responseXml(OPTIONS, assertionXml(other)), key)
    },
  ],
  [
    'that was not requested',
    'InResponseTo is missing',
    () =>
      signXml(
        replaced(responseXml(OPTIONS, assertionXml(OPTIONS)), / InResponseTo="[^"]*"(?=>)/, ''),
        key,
      ),
  ],
  ['that has expired', 'subject confirmation', () => signed({ notOnOrAfter: -120_000 })],
  ['that is not valid yet', 'not yet valid', () => signed({ notBefore: 120_000 })],
  [
    'with a transient name',
    'transient',
    () => signed({ subjectFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
  ],
  ['with an empty name', 'NameID', () => signed({ subject: '' })],
  [
    'confirmed by a key instead of the bearer',
    'was not made for',
    () => signed({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }),
  ],
  ['that reports a failure', 'status:Responder', () => signed({ status: 'Responder' })],
  [
    'signed with SHA-1',
    'SHA-1',
    () => signXml(responseXml(OPTIONS, assertionXml(OPTIONS)), key, { algorithm: 'rsa-sha1' }),
  ],
  [
    'with a SHA-1 digest',
    'SHA-1',
    () => signXml(responseXml(OPTIONS, assertionXml(OPTIONS)), key, { digest: 'sha1' }),
  ],
  [
    'with a forged assertion before the signed one',
    'Only one allowed',
    () => {
      const xml = signed()
      return replaced(xml, ASSERTION, `${forged()}${part(xml, ASSERTION)}`)
    },
  ],
  [
    'with a forged assertion after the signed one',
    'Only one allowed',
    () => {
      const xml = signed()
      return replaced(xml, ASSERTION, `${part(xml, ASSERTION)}${forged()}`)
    },
  ],
  [
    'with two signed assertions',
    'Only one allowed',
    () => {
      const xml = signed()
      return replaced(xml, ASSERTION, `${part(xml, ASSERTION)}${part(signed(), ASSERTION)}`)
    },
  ],
  [
    'with the signed assertion hidden in an extension',
    'location mismatch',
    () => {
      const xml = signed()
      return replaced(
        xml,
        ASSERTION,
        `<samlp:Extensions>${part(xml, ASSERTION)}</samlp:Extensions>${forged()}`,
      )
    },
  ],
  [
    'with the signed assertion inside a forged one',
    'location mismatch',
    () => {
      const xml = signed()
      return replaced(
        xml,
        ASSERTION,
        replaced(forged(), '</saml:Assertion>', `${part(xml, ASSERTION)}</saml:Assertion>`),
      )
    },
  ],
  [
    'with the signed assertion inside the advice of a forged one',
    'location mismatch',
    () => {
      const xml = signed()
      return replaced(
        xml,
        ASSERTION,
        replaced(
          forged(),
          '</saml:Conditions>',
          `</saml:Conditions><saml:Advice>${part(xml, ASSERTION)}</saml:Advice>`,
        ),
      )
    },
  ],
  [
    'with the signed assertion in an object of the signature of a forged one',
    'location mismatch',
    () => {
      const xml = signed()
      const assertion = part(xml, ASSERTION)
      const signature = replaced(
        part(xml, SIGNATURE),
        '</Signature>',
        `<Object>${assertion.replace(SIGNATURE, '')}</Object></Signature>`,
      )
      return replaced(
        xml,
        ASSERTION,
        replaced(forged(), '</saml:Issuer>', `</saml:Issuer>${signature}`),
      )
    },
  ],
  [
    'with the signature moved to a forged assertion',
    'must be signed',
    () => {
      const xml = signed()
      const moved = replaced(forged(), '</saml:Issuer>', `</saml:Issuer>${part(xml, SIGNATURE)}`)
      return replaced(xml, ASSERTION, moved)
    },
  ],
  [
    'with a forged assertion that has the ID of the signed one',
    'Only one allowed',
    () => {
      const assertionId = '_same'
      const xml = signed({ assertionId })
      const copy = assertionXml({ ...OPTIONS, subject: 'boss', assertionId })
      return replaced(xml, ASSERTION, `${copy}${part(xml, ASSERTION)}`)
    },
  ],
  [
    'with the signed response inside a forged one',
    'multiple SAML Response',
    () => {
      const xml = signed()
      return responseXml(OPTIONS, `${forged()}${xml}`)
    },
  ],
  [
    'with a second name',
    'Invalid signature',
    () => replaced(signed(), '</saml:NameID>', '</saml:NameID><saml:NameID>boss</saml:NameID>'),
  ],
  [
    'with two digests in its signature',
    'DigestValue',
    () =>
      replaced(
        signed(),
        /(<DigestValue>[^<]*<\/DigestValue>)/,
        '<DigestValue>AAAA</DigestValue>$1',
      ),
  ],
  [
    'with two signed infos',
    'multiple SignedInfo',
    () => {
      const xml = signed()
      const info = part(xml, /<SignedInfo[\s\S]*?<\/SignedInfo>/)
      return replaced(xml, info, `${info}${info}`)
    },
  ],
  [
    'signed as a whole with another person',
    'Invalid signature',
    () => replaced(signedAround(), '>ada</saml:NameID>', '>boss</saml:NameID>'),
  ],
  [
    'signed as a whole with a comment in the name',
    'comments',
    () => replaced(signedAround(), '>ada<', '>a<!-- -->da<'),
  ],
  ['signed as a whole with another key', 'Invalid signature', () => signedAround({}, stranger)],
  [
    'signed as a whole with an unsigned second assertion',
    'Only one allowed',
    () => replaced(signedAround(), ASSERTION, `${part(signedAround(), ASSERTION)}${forged()}`),
  ],
  [
    'signed as a whole for another address',
    'its Destination is',
    () => {
      const other = { ...OPTIONS, recipient: 'https://portico.example/other' }
      return signXml(responseXml(other, assertionXml(OPTIONS)), key, RESPONSE)
    },
  ],
  [
    'signed as a whole by another issuer',
    'The issuer is',
    () => {
      const other = { ...OPTIONS, issuer: 'https://idp.other.example' }
      return signXml(responseXml(other, assertionXml(OPTIONS)), key, RESPONSE)
    },
  ],
  [
    'with a valid signature around an assertion with an invalid one',
    'Invalid signature',
    () => {
      const forgedFirst = replaced(signed(), '>ada</saml:NameID>', '>boss</saml:NameID>')
      return signXml(forgedFirst, key, RESPONSE)
    },
  ],
  [
    'with a valid assertion inside a response with an invalid signature',
    'Invalid signature',
    () => signXml(signed(), stranger, RESPONSE),
  ],
  ...(['before', 'after', 'around'] as const).map(
    (place): readonly [string, string, () => string] => [
      // XSW1 and XSW2: a new response, and the signed one beside or inside its signature.
      `that wraps the signed response ${place} its signature`,
      'multiple SAML Response',
      () => {
        const original = signedAround()
        const signature = part(original, SIGNATURE)
        const bare = original.replace(SIGNATURE, '')
        const wrapper = responseXml(OPTIONS, forged())
        const parts = {
          before: `${bare}${signature}`,
          after: `${signature}${bare}`,
          around: signature.replace('</Signature>', `<Object>${bare}</Object></Signature>`),
        }
        return replaced(wrapper, '</saml:Issuer>', `</saml:Issuer>${parts[place]}`)
      },
    ],
  ),
  [
    'with the signature of a response moved into a forged one',
    'must be signed',
    () => {
      const signature = part(signedAround(), SIGNATURE)
      return replaced(
        responseXml(OPTIONS, forged()),
        '</saml:Issuer>',
        `</saml:Issuer>${signature}`,
      )
    },
  ],
  [
    'with a forged assertion in the extensions of the signed response',
    'location mismatch',
    () =>
      replaced(
        signedAround(),
        '<samlp:Status>',
        `<samlp:Extensions>${forged()}</samlp:Extensions><samlp:Status>`,
      ),
  ],
  [
    'with a forged assertion in an object of the signature of the response',
    'location mismatch',
    () => replaced(signedAround(), '</Signature>', `<Object>${forged()}</Object></Signature>`),
  ],
  [
    'that is a request',
    'AuthnRequest',
    () => replaced(signed(), /samlp:Response/g, 'samlp:AuthnRequest'),
  ],
  [
    'signed as a whole with its ID on another element too',
    'Ambiguous reference',
    () => {
      const xml = signedAround()
      const id = /<samlp:Response[^>]* ID="([^"]+)"/.exec(xml)?.[1] ?? ''
      return replaced(xml, '<samlp:Status>', `<samlp:Status Id="${id}">`)
    },
  ],
  ['that is no XML', 'well-formed', () => 'hello'],
  ['that is cut off', 'well-formed', () => signed().slice(0, -40)],
  ['that is too long', 'too long', () => `${signed()}${' '.repeat(300_000)}`],
]

test.each(FORGERIES)('a response %s signs no one in', async (_, reason, document) => {
  const printed = vi.spyOn(console, 'error')
  const refusal = await verify(document()).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ProviderError)
  expect(refusal).toMatchObject({ message: expect.stringContaining(reason) })
  expect(printed).not.toHaveBeenCalled()
})

test('a response to another sign-in of the same person signs no one in', async () => {
  await expect(saml.verify(encoded(signed()), '_other')).rejects.toThrow(ProviderError)
})
