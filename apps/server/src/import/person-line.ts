/** A line of an import: a person as JSON, with the password hash from the previous product. */
import { EmailAddress } from '@portico/contracts/email-address'
import { OrgCode } from '@portico/contracts/organization'
import { nameText } from '@portico/contracts/text'
import { normalizePhone } from '@portico/rules/phone'
import * as z from 'zod/mini'
import { errorText, fieldErrors, parseData } from '../data-files/data-files.ts'
import { IMPORT_COSTS, readForeignHash } from '../secrets/foreign-hash.ts'

const MAX_NAME_LENGTH = 100

const Base64 = z.string().check(
  z.refine(
    // Firebase exports use both alphabets.
    (text) => /^[A-Za-z0-9+/_-]+={0,2}$/.test(text),
    'must be base64',
  ),
)

/** Keycloak exports these two fields as JSON strings. */
const KeycloakSecret = z.object({ value: z.string(), salt: z.optional(z.string()) })
const KeycloakSettings = z.object({
  algorithm: z.string(),
  hashIterations: z.number(),
  additionalParameters: z.optional(z.record(z.string(), z.array(z.string()))),
})

const PersonLine = z.strictObject({
  email: EmailAddress,
  organization: OrgCode,
  profileType: z.optional(z.enum(['CUSTOMER', 'AGENT'])),
  givenName: z.optional(nameText({ max: MAX_NAME_LENGTH })),
  familyName: z.optional(nameText({ max: MAX_NAME_LENGTH })),
  phone: z.optional(z.string()),
  phoneVerified: z.optional(z.boolean()),
  passwordHash: z.optional(z.string()),
  firebase: z.optional(z.strictObject({ passwordHash: Base64, salt: Base64 })),
  keycloak: z.optional(z.strictObject({ secretData: z.string(), credentialData: z.string() })),
})

/** A Firebase project's hash parameters, named as in its console. */
export const FirebaseParameters = z.object({
  base64_signer_key: Base64,
  base64_salt_separator: Base64,
  rounds: z.number().check(z.int(), z.gte(1), z.lte(16)),
  mem_cost: z.number().check(z.int(), z.gte(1), z.lte(17)),
})

type FirebaseParameters = z.output<typeof FirebaseParameters>

/** A person to add. */
export interface ImportedPerson {
  readonly email: string
  readonly organizationCode: string
  readonly profileType: 'CUSTOMER' | 'AGENT'
  readonly givenName: string | null
  readonly familyName: string | null
  readonly phone: string | null
  readonly phoneVerified: boolean
  readonly passwordHash: string | null
}

/** Parses a line. Errors say how to fix it. */
export function parsePerson(
  text: string,
  {
    orgCodes,
    firebase,
  }: {
    readonly orgCodes: { readonly has: (orgCode: string) => boolean }
    readonly firebase: FirebaseParameters | undefined
  },
): ImportedPerson | { readonly error: string } {
  const json = parseObject(text)
  if (json === undefined) return { error: 'the line is not a JSON object' }
  const parsed = parseData(PersonLine, json)
  if (!parsed.success) {
    return { error: fieldErrors(parsed.error.issues, 'docs/import.md').map(errorText).join('; ') }
  }
  const { email, organization, phone: typedPhone, phoneVerified = false, ...line } = parsed.data
  if (!orgCodes.has(organization)) {
    return { error: `organization is ${organization}, but no organization has this code` }
  }
  const phone = typedPhone === undefined ? null : normalizePhone(typedPhone)
  if (phone === undefined) return { error: 'phone is not a phone number' }
  const passwordHash = hashOf(line, firebase)
  if (passwordHash !== null && typeof passwordHash !== 'string') return passwordHash
  const read = passwordHash === null ? undefined : readForeignHash(passwordHash, IMPORT_COSTS)
  if (read !== undefined && 'error' in read) return { error: `the password hash ${read.error}` }
  return {
    email,
    organizationCode: organization,
    profileType: line.profileType ?? 'CUSTOMER',
    givenName: line.givenName ?? null,
    familyName: line.familyName ?? null,
    phone,
    phoneVerified,
    passwordHash,
  }
}

function parseObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The hash as a single string; null for a person without a password. */
function hashOf(
  {
    passwordHash,
    firebase,
    keycloak,
  }: Pick<z.output<typeof PersonLine>, 'passwordHash' | 'firebase' | 'keycloak'>,
  parameters: FirebaseParameters | undefined,
): string | null | { readonly error: string } {
  const given = [passwordHash, firebase, keycloak].filter((each) => each !== undefined)
  if (given.length > 1) {
    return { error: 'has more than one of passwordHash, firebase and keycloak' }
  }
  if (firebase !== undefined) {
    if (parameters === undefined) {
      return { error: 'firebase requires the hash parameters of the project: --firebase FILE' }
    }
    return firebaseHash(firebase, parameters)
  }
  if (keycloak !== undefined) return keycloakHash(keycloak)
  return passwordHash ?? null
}

const withoutPadding = (bytes: Uint8Array) =>
  Buffer.from(bytes).toString('base64').replaceAll('=', '')

/** Stores the ciphertext instead of the signing key, as `readForeignHash` explains. */
function firebaseHash(
  { passwordHash, salt }: { readonly passwordHash: string; readonly salt: string },
  parameters: FirebaseParameters,
): string | { readonly error: string } {
  const signer = Buffer.from(parameters.base64_signer_key, 'base64')
  const ciphertext = Buffer.from(passwordHash, 'base64')
  if (signer.length !== ciphertext.length) {
    return { error: 'firebase.passwordHash does not have the length of the signer key' }
  }
  const separator = Buffer.from(parameters.base64_salt_separator, 'base64')
  const salted = Buffer.concat([Buffer.from(salt, 'base64'), separator])
  const keyStream = ciphertext.map((byte, index) => byte ^ (signer[index] ?? 0))
  const { mem_cost: logN, rounds } = parameters
  return `$firebase-scrypt$ln=${logN},r=${rounds}$${withoutPadding(salted)}$${withoutPadding(keyStream)}`
}

/** A user's credential in a Keycloak export. */
function keycloakHash(credential: {
  readonly secretData: string
  readonly credentialData: string
}): string | { readonly error: string } {
  const secret = KeycloakSecret.safeParse(parseObject(credential.secretData))
  const settings = KeycloakSettings.safeParse(parseObject(credential.credentialData))
  if (!secret.success || !settings.success) {
    return { error: 'keycloak must hold secretData and credentialData as Keycloak exports them' }
  }
  const { algorithm, hashIterations, additionalParameters = {} } = settings.data
  const value = withoutPadding(Buffer.from(secret.data.value, 'base64'))
  const salt = withoutPadding(Buffer.from(secret.data.salt ?? '', 'base64'))
  if (algorithm === 'argon2') {
    const of = (name: string) => additionalParameters[name]?.[0]
    const version = of('version') === '1.0' ? 16 : 19
    return `$argon2${of('type') ?? 'id'}$v=${version}$m=${of('memory')},t=${hashIterations},p=${of('parallelism')}$${salt}$${value}`
  }
  const [, digest = '-sha1'] = /^pbkdf2(-sha256|-sha512)?$/.exec(algorithm) ?? [undefined, null]
  if (digest === null)
    return { error: `keycloak uses the algorithm ${algorithm}, which is unknown` }
  return `$pbkdf2${digest}$${hashIterations}$${salt}$${value}`
}
