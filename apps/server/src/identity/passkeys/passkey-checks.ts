/**
 * Passkeys (WebAuthn), verified by a library. A challenge is short-lived and answered once; what answers it must come
 * from the visitor's own origin, framed by no other, and a counter that does not grow refuses a copied key.
 */
import { Refusal } from '@portico/contracts/errors'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { AllStores, Stores } from '../../stores.ts'
import { CHALLENGE_LIFETIME_MS } from './passkeys.store.ts'

/** A credential's name may be 1023 bytes; in base64 that is a little more. */
const CREDENTIAL_ID_LENGTH_MAXIMUM = 1400

/** EdDSA, ES256 and RS256, which every authenticator knows one of. */
const ALGORITHMS = [-8, -7, -257]

/** The library brings certificates and parsers that a start need not wait for: it comes with the first passkey. */
const library = () => import('@simplewebauthn/server')

type Json = Record<string, unknown>
type PasskeyRow = Awaited<ReturnType<Stores['passkeys']['of']>>[number]

/** A right answer: whose passkey it was, and what records its use. */
interface Answered {
  readonly passkey: PasskeyRow
  /** @throws Refusal - `passkey-refused` where the same answer was used meanwhile */
  readonly useUp: (together: Stores, at: number) => Promise<void>
}

/** Makes challenges and verifies what answers them. */
export function passkeyChecks(deps: { readonly stores: AllStores; readonly clock: Clock }) {
  const { stores, clock } = deps
  const domainOf = ({ origin }: Visitor) => new URL(origin).hostname
  const named = (rows: readonly PasskeyRow[]) =>
    rows.map((row) => ({
      id: row.credential_id,
      transports: JSON.parse(row.transports) as string[], // Written as such by `add`.
    }))

  const keep = (purpose: string, challenge: string) =>
    stores.passkeys.addChallenge(purpose, challenge, clock() + CHALLENGE_LIFETIME_MS)
  /** Asked by the library with the challenge that the answer names: looked up and taken away in one statement. */
  const takes = (purpose: string) => (challenge: string) =>
    stores.passkeys.takeChallenge(purpose, challenge, clock())

  return {
    /** What the browser needs to make a passkey for the signed-in person. */
    async registration(purpose: string, session: OpenSession, visitor: Visitor): Promise<Json> {
      const { generateRegistrationOptions } = await library()
      const options = await generateRegistrationOptions({
        rpName: visitor.senderTo(session.organizationCode).organization.companyInfo.name,
        rpID: domainOf(visitor),
        userName: session.email,
        userID: new TextEncoder().encode(session.identityId),
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: named(await stores.passkeys.of(session.identityId)),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await keep(purpose, options.challenge)
      return { ...options }
    },

    /** The passkey that a browser made. */
    async registered(given: { purpose: string; response: Json }, visitor: Visitor) {
      const { verifyRegistrationResponse } = await library()
      // The library checks the form itself and throws where it is another.
      const response = given.response as unknown as RegistrationResponseJSON
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: takes(given.purpose),
        expectedOrigin: visitor.origin,
        expectedRPID: domainOf(visitor),
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(refused)
      if (!verified || (await framedByOthers(response))) throw new Refusal('passkey-refused')
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential
      if (id.length > CREDENTIAL_ID_LENGTH_MAXIMUM) throw new Refusal('passkey-refused')
      return {
        credentialId: id,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: transports.filter((each) => /^[a-z-]{1,20}$/.test(each)).slice(0, 8),
      }
    },

    /** What the browser needs to ask for a passkey: one of those that are named, or any that it has for us. */
    async authentication(
      asked: { purpose: string; verifiesUser: boolean; passkeys?: readonly PasskeyRow[] },
      visitor: Visitor,
    ): Promise<Json> {
      const { generateAuthenticationOptions } = await library()
      const options = await generateAuthenticationOptions({
        rpID: domainOf(visitor),
        userVerification: asked.verifiesUser ? 'required' : 'preferred',
        ...(asked.passkeys === undefined ? {} : { allowCredentials: named(asked.passkeys) }),
      })
      await keep(asked.purpose, options.challenge)
      return { ...options }
    },

    /** Verifies the answer to a challenge. */
    async answered(
      given: { purpose: string; response: Json; verifiesUser: boolean },
      visitor: Visitor,
    ): Promise<Answered> {
      const { id } = given.response
      const known =
        typeof id === 'string' && /^[\w-]+$/.test(id) && id.length <= CREDENTIAL_ID_LENGTH_MAXIMUM
          ? await stores.passkeys.byCredential(id)
          : undefined
      if (known === undefined) throw new Refusal('passkey-refused')
      const { verifyAuthenticationResponse } = await library()
      // The library checks the form itself and throws where it is another.
      const response = given.response as unknown as AuthenticationResponseJSON
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: takes(given.purpose),
        expectedOrigin: visitor.origin,
        expectedRPID: domainOf(visitor),
        requireUserVerification: given.verifiesUser,
        credential: {
          id: known.credential_id,
          publicKey: new Uint8Array(Buffer.from(known.public_key, 'base64url')),
          counter: known.counter,
        },
      }).catch(refused)
      if (!verified || (await framedByOthers(response))) throw new Refusal('passkey-refused')
      const { newCounter } = authenticationInfo
      return {
        passkey: known,
        useUp: async ({ passkeys }, at) => {
          const use = { id: known.id, from: known.counter, to: newCounter, at }
          if (!(await passkeys.use(use))) throw new Refusal('passkey-refused')
        },
      }
    },
  }
}

/** Makes and verifies; see `passkeyChecks`. */
export type PasskeyChecks = ReturnType<typeof passkeyChecks>

/**
 * Whether the browser was asked inside a page of another origin. No page of ours lets itself be framed by one, and the
 * library looks only at browsers that name the origin.
 */
async function framedByOthers({
  response,
}: AuthenticationResponseJSON | RegistrationResponseJSON): Promise<boolean> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers')
  return decodeClientDataJSON(response.clientDataJSON).crossOrigin === true
}

/** Whatever the library finds wrong is refused in the same words. */
function refused(cause: unknown): never {
  throw new Refusal('passkey-refused', { cause })
}
