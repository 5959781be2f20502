import type { FeatureDefinition } from '@growthbook/growthbook'
import * as z from 'zod/mini'

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
  const { features, savedGroups } = Answer.parse(JSON.parse(await bounded(response)))
  // The schema reads no more of a rule than that it is one.
  return { features: features as Record<string, FeatureDefinition>, savedGroups }
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > BYTES_MAXIMUM) throw new Error(`It answered more than ${BYTES_MAXIMUM} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
