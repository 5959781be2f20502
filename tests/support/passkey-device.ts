import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

type Json = Record<string, unknown>

/** Deviations of a faulty or malicious device. */
interface Misbehavior {
  readonly origin?: string
  readonly domain?: string
  readonly userVerified?: boolean
  readonly challenge?: string
  /** The request comes from a page of ours inside a cross-origin frame. */
  readonly framed?: boolean
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest()

/** A device with one passkey (WebAuthn, ES256), implemented independently from the standard. */
export function passkeyDevice(settings: { readonly origin: string; counter?: number }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = settings.counter ?? 0

  const clientData = (type: string, challenge: unknown, { origin, ...other }: Misbehavior) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: other.challenge ?? challenge,
        origin: origin ?? settings.origin,
        crossOrigin: other.framed ?? false,
      }),
    )
  function authenticatorData(flags: number, { domain, userVerified = true }: Misbehavior) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const verified = userVerified ? 0x04 : 0
    return Buffer.concat([
      sha256(domain ?? new URL(settings.origin).hostname),
      Buffer.from([flags | 0x01 | verified]),
      count,
    ])
  }
  function coseKey(): Buffer {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const coordinate = (text: string) =>
      Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')])
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      coordinate(x),
      Buffer.from([0x22]),
      coordinate(y),
    ])
  }
  const answer = (response: Json): Json => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    /** Sets the signature counter, as a copied key would. */
    rewind: (to: number) => {
      counter = to
    },
    make(options: Json, wrong: Misbehavior = {}): Json {
      const data = Buffer.concat([
        authenticatorData(0x40, wrong),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey(),
      ])
      const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex')
      return answer({
        clientDataJSON: base64url(clientData('webauthn.create', options['challenge'], wrong)),
        attestationObject: base64url(Buffer.concat([head, Buffer.from([data.length]), data])),
        transports: ['internal'],
      })
    },
    sign(options: Json, wrong: Misbehavior = {}): Json {
      if (counter > 0) counter += 1
      const client = clientData('webauthn.get', options['challenge'], wrong)
      const data = authenticatorData(0, wrong)
      return answer({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
      })
    },
  }
}
