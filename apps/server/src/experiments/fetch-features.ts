import type { FeatureDefinition } from '@growthbook/growthbook'
import * as z from 'zod/mini'
import { readBoundedBytes } from '../http/bounded-bytes.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 1_000_000

/** The response of `/api/features/…`. The library interprets the rules. */
const FeaturesResponse = z.object({
  features: z.record(z.string(), z.looseObject({ rules: z.optional(z.array(z.looseObject({}))) })),
  savedGroups: z._default(z.record(z.string(), z.array(z.union([z.string(), z.number()]))), {}),
})

/** The rules of a server. */
export interface FetchedFeatures {
  readonly features: Readonly<Record<string, FeatureDefinition>>
  readonly savedGroups: Record<string, (string | number)[]>
}

/**
 * Fetches the rules of a GrowthBook server.
 *
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
  const { features, savedGroups } = FeaturesResponse.parse(JSON.parse(body))
  // The schema does not validate the rules.
  return { features: features as Record<string, FeatureDefinition>, savedGroups }
}
