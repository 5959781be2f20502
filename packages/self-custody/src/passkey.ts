/** Passkeys that derive a secret (the PRF extension of WebAuthn level 3), with which the browser unlocks a vault. */
import { Refusal } from '@portico/contracts/errors'

/** The passkey operations that a vault needs. */
export interface Passkeys {
  /** Creates a passkey and returns its id. @throws Refusal - `passkey-unsupported`, `passkey-refused` */
  readonly create: () => Promise<Uint8Array>
  /** The 32 bytes that the passkey derives from a salt. @throws Refusal - `passkey-unsupported`, `passkey-refused` */
  readonly evaluate: (credentialId: Uint8Array, salt: Uint8Array) => Promise<Uint8Array>
}

const PRF_BYTES = 32
const CHALLENGE_BYTES = 32
const ES256 = -7
const RS256 = -257

/**
 * The passkeys of this browser. `relyingParty.id` is the host name of the page or, in an extension, its id. The credential is
 * discoverable and verifies the user. No server checks its signature: only the derived secret counts, so the challenge is random.
 */
export function browserPasskeys({
  relyingParty,
  userName,
}: {
  readonly relyingParty: { readonly id?: string; readonly name: string }
  readonly userName: string
}): Passkeys {
  return {
    async create() {
      const credential = await attempt(() =>
        navigator.credentials.create({
          publicKey: {
            rp: relyingParty,
            user: { id: randomBytes(CHALLENGE_BYTES), name: userName, displayName: userName },
            challenge: randomBytes(CHALLENGE_BYTES),
            pubKeyCredParams: [
              { type: 'public-key', alg: ES256 },
              { type: 'public-key', alg: RS256 },
            ],
            authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
            extensions: { prf: {} },
          },
        }),
      )
      // An authenticator without PRF reports `enabled: false` or nothing at all.
      if (credential.getClientExtensionResults().prf?.enabled !== true) {
        throw new Refusal('passkey-unsupported')
      }
      return new Uint8Array(credential.rawId)
    },

    async evaluate(credentialId, salt) {
      const credential = await attempt(() =>
        navigator.credentials.get({
          publicKey: {
            ...(relyingParty.id === undefined ? {} : { rpId: relyingParty.id }),
            challenge: randomBytes(CHALLENGE_BYTES),
            allowCredentials: [{ type: 'public-key', id: Uint8Array.from(credentialId) }],
            userVerification: 'required',
            extensions: { prf: { eval: { first: Uint8Array.from(salt) } } },
          },
        }),
      )
      const output = bytesOf(credential.getClientExtensionResults().prf?.results?.first)
      if (output?.length !== PRF_BYTES) throw new Refusal('passkey-unsupported')
      return output
    },
  }
}

async function attempt(call: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  if (typeof PublicKeyCredential === 'undefined') throw new Refusal('passkey-unsupported')
  const credential = await call().catch((cause: unknown) => {
    // Browsers report a cancelled prompt and a timeout as the same error.
    throw new Refusal('passkey-refused', { cause })
  })
  if (credential instanceof PublicKeyCredential) return credential
  throw new Refusal('passkey-refused')
}

function bytesOf(source: BufferSource | undefined): Uint8Array | undefined {
  if (source === undefined) return undefined
  return source instanceof ArrayBuffer
    ? new Uint8Array(source)
    : Uint8Array.from(new Uint8Array(source.buffer, source.byteOffset, source.byteLength))
}

const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length))
