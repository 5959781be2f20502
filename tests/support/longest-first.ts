import { BaseSequencer, type TestSpecification } from 'vitest/node'

// They wait for what a server does in its own time, so that others are run beside them instead of after them.
const LONG = ['journeys/process', 'journeys/kill', 'attacks/resources', 'attacks/client-addresses']

/** Begins with the files that take long, which a machine that never ran them cannot know. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.includes(`/tests/${name}.test.`))
      return place === -1 ? LONG.length : place
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
