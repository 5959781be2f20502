import { BaseSequencer, type TestSpecification } from 'vitest/node'

// These take longest or wait for timers of the server, so other files should run in parallel with them.
const LONG = [
  'journeys/database-loss',
  'journeys/process',
  'journeys/kill',
  'attacks/resources',
  'attacks/client-addresses',
  'extension/product',
  'interop/published-in-browsers',
]

/** Starts the longest files first, also on a machine without cached durations. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.includes(`/tests/${name}.test.`))
      return place === -1 ? LONG.length : place
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
