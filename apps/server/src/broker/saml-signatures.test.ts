/** Signature wrapping (XSW1 to XSW8 of Somorovsky and others, 2012), without the filter that refuses such documents earlier. */
import { beforeAll, describe, expect, test } from 'vitest'
import { assertionXml, responseXml, type SamlKey, samlKey, signXml } from './saml-responses.ts'
import { childrenOf, parseXml, verifiedText } from './saml-signatures.ts'

const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const OPTIONS = {
  issuer: 'https://idp.lender.example/metadata',
  audience: 'https://portico.example/metadata/1',
  recipient: 'https://portico.example/callback/1',
  requestId: '_3c9a',
  subject: 'ada',
}
const SIGNATURE_PART = /<Signature[\s\S]*?<\/Signature>/
const ASSERTION_PART = /<saml:Assertion[\s\S]*<\/saml:Assertion>/
const forged = (assertionId?: string) =>
  assertionXml({ ...OPTIONS, subject: 'boss', ...(assertionId && { assertionId }) })

let key: SamlKey
beforeAll(() => {
  key = samlKey()
})

const signed = (target: 'Assertion' | 'Response') =>
  signXml(responseXml(OPTIONS, assertionXml(OPTIONS)), key, {
    xpath: `//*[local-name()='${target}']`,
  })

/** What is read of a document: the verified response or assertion; undefined if nothing is verified. */
function read(xml: string): string | undefined {
  const root = parseXml(xml)
  const response = verifiedText(xml, root, [key.publicKey])
  if (response !== undefined) return response
  for (const assertion of childrenOf(root, ASSERTION, 'Assertion')) {
    const text = verifiedText(xml, assertion, [key.publicKey])
    if (text !== undefined) return text
  }
  return undefined
}

function readOrRefuse(xml: string): string {
  try {
    return read(xml) ?? 'nothing is signed'
  } catch (error) {
    return `refused: ${String(error)}`
  }
}

const idOf = (xml: string, name: string) =>
  new RegExp(`<${name}[^>]* ID="([^"]+)"`).exec(xml)?.[1] ?? ''

describe.each(['Response', 'Assertion'] as const)('a signed %s', (target) => {
  const original = () => {
    const xml = signed(target)
    const signature = SIGNATURE_PART.exec(xml)?.[0] ?? ''
    const assertion = ASSERTION_PART.exec(xml)?.[0] ?? ''
    return { xml, signature, assertion, bare: assertion.replace(signature, '') }
  }

  test('is read as it was signed', () => {
    expect(read(original().xml)).toContain('>ada</saml:NameID>')
  })

  const withObject = (signature: string, content: string) =>
    signature.replace('</Signature>', `<Object>${content}</Object></Signature>`)
  const inResponse = (signature: string, content: string, id?: string) => {
    const wrapper = responseXml(OPTIONS, content).replace(
      '</saml:Issuer>',
      `</saml:Issuer>${signature}`,
    )
    return id === undefined ? wrapper : wrapper.replace(/ ID="[^"]+"/, ` ID="${id}"`)
  }

  const wrapped: readonly (readonly [string, () => string])[] = [
    [
      'XSW1: the original in an object of the signature of a new response',
      () => {
        const { xml, signature } = original()
        return inResponse(withObject(signature, xml.replace(signature, '')), forged())
      },
    ],
    [
      'XSW2: the original beside the signature of a new response',
      () => {
        const { xml, signature } = original()
        return inResponse(`${xml.replace(signature, '')}${signature}`, forged())
      },
    ],
    [
      'XSW3: a forged assertion before the original',
      () => {
        const { xml, assertion } = original()
        return xml.replace(assertion, `${forged()}${assertion}`)
      },
    ],
    [
      'XSW4: the original inside a forged assertion',
      () => {
        const { xml, assertion } = original()
        return xml.replace(
          assertion,
          forged().replace('</saml:Assertion>', `${assertion}</saml:Assertion>`),
        )
      },
    ],
    [
      'XSW5: the signature in a forged assertion, the original after it',
      () => {
        const { signature, bare } = original()
        return responseXml(
          OPTIONS,
          forged().replace('</saml:Issuer>', `</saml:Issuer>${signature}`) + bare,
        )
      },
    ],
    [
      'XSW6: the original in the signature of a forged assertion',
      () => {
        const { signature, bare } = original()
        return responseXml(
          OPTIONS,
          forged().replace('</saml:Issuer>', `</saml:Issuer>${withObject(signature, bare)}`),
        )
      },
    ],
    [
      'XSW7: a forged assertion in the extensions',
      () => {
        const { xml } = original()
        const id = idOf(xml, 'saml:Assertion')
        return xml.replace(
          '<samlp:Status>',
          `<samlp:Extensions>${forged(id)}</samlp:Extensions><samlp:Status>`,
        )
      },
    ],
    [
      'XSW8: the original in an object of the signature of a forged assertion with its ID',
      () => {
        const { xml, signature, bare } = original()
        return responseXml(
          OPTIONS,
          forged(idOf(xml, 'saml:Assertion')).replace(
            '</saml:Issuer>',
            `</saml:Issuer>${withObject(signature, bare)}`,
          ),
        )
      },
    ],
    [
      'a new response with the ID of the original',
      () => {
        const { xml, signature } = original()
        return inResponse(signature, forged(), idOf(xml, 'samlp:Response'))
      },
    ],
    [
      'a second reference beside the valid one',
      () => {
        const { xml } = original()
        const reference = /<Reference[\s\S]*<\/Reference>/.exec(xml)?.[0] ?? ''
        return xml
          .replace(reference, `${reference}${reference}`)
          .replace('>ada</saml:NameID>', '>boss</saml:NameID>')
      },
    ],
    [
      'a transform that takes the forged part out',
      () => {
        const { xml } = original()
        return xml
          .replace(
            '</Transforms>',
            '<Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"/></Transforms>',
          )
          .replace('>ada</saml:NameID>', '>boss</saml:NameID>')
      },
    ],
  ]

  test.each(wrapped)('%s: the forged assertion is not read', (_, document) => {
    const xml = document()
    expect(xml).toContain('boss')
    expect(readOrRefuse(xml)).not.toContain('boss')
  })

  test('an HMAC with the public key as the secret is not a signature', () => {
    const { xml } = original()
    const confused = xml.replace(
      /SignatureMethod Algorithm="[^"]+"/,
      'SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#hmac-sha1"',
    )
    expect(() => read(confused)).toThrow('Invalid signature')
  })
})
