/**
 * Passkeys (WebAuthn), verified with @simplewebauthn/server. A challenge is short-lived and single-use. Its response
 * must come from the visitor's own origin, outside any cross-origin frame. A signature counter that does not increase
 * indicates a cloned authenticator and is rejected.
 */
import { Refusal } from '@portico/contracts/errors'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { Stores } from '../../stores.ts'
import { CHALLENGE_LIFETIME_MS } from './passkeys.store.ts'

/** WebAuthn limits a credential ID to 1023 bytes; base64url makes it a little longer. */
const MAX_CREDENTIAL_ID_LENGTH = 1400

/** COSE identifiers of EdDSA, ES256 and RS256: every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded with the first passkey, because the library's certificates and parsers slow down startup. */
async function loadLibrary() {
  await import('reflect-metadata') // Must come first for the certificate library, whose own import order changes in a bundle.
  return {
    ...(await import('@simplewebauthn/server')),
    ...(await import('@simplewebauthn/server/helpers')),
  }
}

export type Json = Record<string, unknown>
type PasskeyRow = Awaited<ReturnType<Stores['passkeys']['list']>>[number]

/** A verified response: the passkey and a function to record its use. */
interface VerifiedPasskey {
  readonly passkey: PasskeyRow
  /** @throws Refusal - `passkey-refused` if the same response was used in the meantime */
  readonly consume: (transaction: Pick<Stores, 'passkeys'>, at: number) => Promise<void>
}

/** Creates challenges and verifies the responses. */
export function passkeyChecks(deps: {
  readonly stores: Pick<Stores, 'passkeys'>
  readonly clock: Clock
}) {
  const { stores, clock } = deps
  const domainOf = ({ origin }: Visitor) => new URL(origin).hostname
  const descriptorsOf = (rows: readonly PasskeyRow[]) =>
    rows.map((row) => ({
      id: row.credentialId,
      transports: JSON.parse(row.transports) as string[], // Written as JSON by `insert`.
    }))

  const storeChallenge = (purpose: string, challenge: string) =>
    stores.passkeys.insertChallenge(purpose, challenge, clock() + CHALLENGE_LIFETIME_MS)
  /** Called by the library with the challenge of the response: finds and deletes it in one statement. */
  const consumeChallenge = (purpose: string) => (challenge: string) =>
    stores.passkeys.consumeChallenge(purpose, challenge, clock())

  return {
    /** The options for creating a passkey in the browser. */
    async registrationOptions(
      purpose: string,
      session: OpenSession,
      visitor: Visitor,
    ): Promise<Json> {
      const { generateRegistrationOptions } = await loadLibrary()
      const options = await generateRegistrationOptions({
        rpName: visitor.senderTo(session.organizationCode).organization.companyInfo.name,
        rpID: domainOf(visitor),
        userName: session.email,
        userID: new TextEncoder().encode(session.identityId),
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: descriptorsOf(await stores.passkeys.list(session.identityId)),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await storeChallenge(purpose, options.challenge)
      return { ...options }
    },

    /** Verifies the passkey that a browser created. */
    async verifyRegistration(request: { purpose: string; response: Json }, visitor: Visitor) {
      const { verifyRegistrationResponse } = await loadLibrary()
      // The library validates the shape itself and throws on a mismatch.
      const response = request.response as unknown as RegistrationResponseJSON
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: consumeChallenge(request.purpose),
        expectedOrigin: visitor.origin,
        expectedRPID: domainOf(visitor),
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(refuse)
      if (!verified || (await isCrossOriginFramed(response))) throw new Refusal('passkey-refused')
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential
      if (id.length > MAX_CREDENTIAL_ID_LENGTH) throw new Refusal('passkey-refused')
      return {
        credentialId: id,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: transports.filter((each) => /^[a-z-]{1,20}$/.test(each)).slice(0, 8),
      }
    },

    /**
     * The options for requesting a passkey in the browser: one of `passkeys`, or any that the user has for this site.
     */
    async authenticationOptions(
      request: {
        purpose: string
        requireUserVerification: boolean
        passkeys?: readonly PasskeyRow[]
      },
      visitor: Visitor,
    ): Promise<Json> {
      const { generateAuthenticationOptions } = await loadLibrary()
      const options = await generateAuthenticationOptions({
        rpID: domainOf(visitor),
        userVerification: request.requireUserVerification ? 'required' : 'preferred',
        ...(request.passkeys === undefined
          ? {}
          : { allowCredentials: descriptorsOf(request.passkeys) }),
      })
      await storeChallenge(request.purpose, options.challenge)
      return { ...options }
    },

    /** Verifies the response to a challenge. */
    async verifyAuthentication(
      request: { purpose: string; response: Json; requireUserVerification: boolean },
      visitor: Visitor,
    ): Promise<VerifiedPasskey> {
      const { id } = request.response
      const known =
        typeof id === 'string' && /^[\w-]+$/.test(id) && id.length <= MAX_CREDENTIAL_ID_LENGTH
          ? await stores.passkeys.findByCredential(id)
          : undefined
      if (known === undefined) throw new Refusal('passkey-refused')
      const { verifyAuthenticationResponse } = await loadLibrary()
      // The library validates the shape itself and throws on a mismatch.
      const response = request.response as unknown as AuthenticationResponseJSON
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: consumeChallenge(request.purpose),
        expectedOrigin: visitor.origin,
        expectedRPID: domainOf(visitor),
        requireUserVerification: request.requireUserVerification,
        credential: {
          id: known.credentialId,
          publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
          counter: known.counter,
        },
      }).catch(refuse)
      if (!verified || (await isCrossOriginFramed(response))) throw new Refusal('passkey-refused')
      const { newCounter } = authenticationInfo
      return {
        passkey: known,
        consume: async ({ passkeys }, at) => {
          const use = { id: known.id, from: known.counter, to: newCounter, at }
          if (!(await passkeys.updateCounter(use))) throw new Refusal('passkey-refused')
        },
      }
    },
  }
}

export type PasskeyChecks = ReturnType<typeof passkeyChecks>

/**
 * Whether the passkey was requested inside a page of another origin. Our pages cannot be framed, and the library checks
 * this only when the browser reports the top origin.
 */
async function isCrossOriginFramed({
  response,
}: AuthenticationResponseJSON | RegistrationResponseJSON): Promise<boolean> {
  const { decodeClientDataJSON } = await loadLibrary()
  return decodeClientDataJSON(response.clientDataJSON).crossOrigin === true
}

/** Every verification error gets the same response. */
function refuse(cause: unknown): never {
  throw new Refusal('passkey-refused', { cause })
}
