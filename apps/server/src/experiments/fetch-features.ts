import type { FeatureDefinition } from '@growthbook/growthbook'
import * as z from 'zod/mini'
import { boundedBytes } from '../http/bounded-bytes.ts'

const TIMEOUT_MS = 5000
const BYTES_MAXIMUM = 1_000_000

/** What a GrowthBook server answers at `/api/features/…`, as far as it is read; the rules are the library's to judge. */
const Answer = z.object({
  features: z.record(z.string(), z.looseObject({ rules: z.optional(z.array(z.looseObject({}))) })),
  savedGroups: z._default(z.record(z.string(), z.array(z.union([z.string(), z.number()]))), {}),
})

/** Rules as a server tells them. */
export interface ToldFeatures {
  readonly features: Readonly<Record<string, FeatureDefinition>>
  readonly savedGroups: Record<string, (string | number)[]>
}

/**
 * Asks a GrowthBook server for its rules.
 *
 * @throws Error - where it does not answer in time, or not with rules
 */
export async function fetchFeatures(url: string): Promise<ToldFeatures> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`It answered ${response.status}`)
  const body = (await boundedBytes(response, BYTES_MAXIMUM)).toString()
  const { features, savedGroups } = Answer.parse(JSON.parse(body))
  // The schema reads no more of a rule than that it is one.
  return { features: features as Record<string, FeatureDefinition>, savedGroups }
}
