import type { FeatureDefinition } from '@growthbook/growthbook'
import { EXPERIMENT_KEYS } from '@portico/contracts/experiment-keys'
import * as z from 'zod/mini'
import { readBoundedBytes } from '../http/bounded-bytes.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 1_000_000

/**
 * The response of `/api/features/…`. The library interprets the rules. Other teams' features are in it too, so one that is not
 * valid is left out instead of hiding all others.
 */
const FeaturesResponse = z.object({
  features: z.record(z.string(), z.unknown()),
  savedGroups: z.nullish(z.record(z.string(), z.unknown())),
})

const Feature = z.looseObject({ rules: z.nullish(z.array(z.looseObject({}))) })

const Encrypted = z.object({
  features: z.nullish(z.record(z.string(), z.unknown())),
  encryptedFeatures: z.nullish(z.string()),
  savedGroups: z.nullish(z.record(z.string(), z.unknown())),
  encryptedSavedGroups: z.nullish(z.string()),
})

/** The rules of a server. */
export interface FetchedFeatures {
  readonly features: Readonly<Record<string, FeatureDefinition>>
  readonly savedGroups: Record<string, (string | number)[]>
}

/** The server sends its rules or saved groups encrypted, and we have no key. */
export class EncryptedFeaturesError extends Error {
  constructor() {
    super(
      'The experiments server encrypts its payload. Turn off encryption of the SDK connection in GrowthBook, or use another SDK connection in EXPERIMENTS_URL',
    )
  }
}

/**
 * Fetches the rules of a GrowthBook server.
 *
 * @throws EncryptedFeaturesError
 * @throws Error - when it does not respond in time or the response is invalid
 */
export async function fetchFeatures(url: string): Promise<FetchedFeatures> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`The server responded with status ${response.status}`)
  const body = (await readBoundedBytes(response, MAX_BYTES)).toString()
  const content: unknown = JSON.parse(body)
  if (isEncrypted(content)) throw new EncryptedFeaturesError()
  const { features, savedGroups } = FeaturesResponse.parse(content)
  return { features: validFeatures(features), savedGroups: validGroups(savedGroups ?? {}) }
}

/** Whether something is there only in its encrypted form: read as it is, it would count as empty. */
function isEncrypted(content: unknown): boolean {
  const found = Encrypted.safeParse(content).data
  if (found === undefined) return false
  const isEmpty = (value: object | null | undefined) => Object.keys(value ?? {}).length === 0
  return (
    (Boolean(found.encryptedFeatures) && isEmpty(found.features)) ||
    (Boolean(found.encryptedSavedGroups) && isEmpty(found.savedGroups))
  )
}

/** @throws Error - if one of our own experiments is not valid */
function validFeatures(features: Readonly<Record<string, unknown>>) {
  const isOwn = (key: string) => EXPERIMENT_KEYS.some((own) => own === key)
  const entries = Object.entries(features).flatMap(([key, feature]) => {
    const parsed = Feature.safeParse(feature)
    if (!parsed.success && isOwn(key)) throw parsed.error
    if (!parsed.success) return []
    const { rules, ...rest } = parsed.data
    return [[key, { ...rest, ...(rules && { rules }) }] as const]
  })
  // The schema does not validate the rules.
  return Object.fromEntries(entries) as Record<string, FeatureDefinition>
}

function validGroups(groups: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(groups).map(([key, members]) => [
    key,
    (Array.isArray(members) ? members : []).filter(
      (member): member is string | number =>
        typeof member === 'string' || typeof member === 'number',
    ),
  ])
  return Object.fromEntries(entries) as Record<string, (string | number)[]>
}
