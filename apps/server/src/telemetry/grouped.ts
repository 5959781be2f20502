/** How work is grouped. */
export interface GroupLimits {
  /** How many go together at most. */
  readonly together: number
  /** How many may wait; whoever comes when there are as many is refused. */
  readonly waiting: number
}

/**
 * Work that is done for many at once: whoever comes while a group is under way goes with the next, so that under load a
 * commit serves hundreds, and without load nobody waits for company. Each is answered when its own group is done.
 *
 * @returns gives the result, or nothing where too many wait
 */
export function grouped<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  limits: GroupLimits,
): (item: Item) => Promise<Result | undefined> {
  interface Waiting {
    readonly item: Item
    readonly resolve: (result: Result | undefined) => void
    readonly reject: (error: unknown) => void
  }
  const waiting: Waiting[] = []
  let working = false

  async function workOff(): Promise<void> {
    working = true
    while (waiting.length > 0) {
      const group = waiting.splice(0, limits.together)
      try {
        const results = await work(group.map(({ item }) => item))
        group.forEach(({ resolve }, index) => resolve(results[index]))
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    working = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= limits.waiting) {
        resolve(undefined)
        return
      }
      waiting.push({ item, resolve, reject })
      if (!working) void workOff()
    })
}
