import { type ServerProcess, startServer } from '../../support/server-process.ts'
import type { Browser } from './browsers.ts'
import {
  openWalkWorld,
  STEP_NAMES,
  type StepCounts,
  type WalkOptions,
  type WalkWorld,
} from './walk.ts'

/** Words of published test vectors. Browsers that walk at the same time need different accounts. */
const WORDS = [
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong',
  'ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic',
] as const

export interface WalksResult {
  readonly walks: number
  readonly counts: StepCounts
  readonly seconds: number
  /** The failed walks, with their seeds and steps. */
  readonly failures: readonly string[]
}

const MAX_FAILURES = 10

/** Runs the walks of all seeds, in several browsers at the same time. */
export async function runWalks(
  { open }: Browser,
  { seeds, lanes }: { readonly seeds: readonly number[]; readonly lanes: number },
): Promise<WalksResult> {
  await using server: ServerProcess = await startServer()
  const rest = [...seeds]
  const failures: string[] = []
  const counts = Object.fromEntries(STEP_NAMES.map((name) => [name, 0])) as StepCounts
  const started = Date.now()

  async function lane(words: string): Promise<void> {
    const options: WalkOptions = { serverUrl: server.url, open, words }
    while (rest.length > 0 && failures.length < MAX_FAILURES) {
      try {
        await using world = await openWalkWorld(options)
        await walkUntilFailure(world)
        for (const name of STEP_NAMES) counts[name] += world.counts[name]
      } catch (error) {
        // The browser did not start or end.
        failures.push(String(error))
        console.error(String(error))
      }
    }
  }

  /** After a failure, the next walks get a new browser. */
  async function walkUntilFailure({ walk }: WalkWorld): Promise<void> {
    try {
      for (let seed = rest.shift(); seed !== undefined; seed = rest.shift()) await walk(seed)
    } catch (error) {
      failures.push(String(error))
      console.error(String(error))
    }
  }

  await Promise.all(WORDS.slice(0, lanes).map(lane))
  const seconds = Math.round((Date.now() - started) / 1000)
  return { walks: seeds.length - rest.length, counts, seconds, failures }
}
