export interface GroupLimits {
  /** The maximum size of a group. */
  readonly groupSize: number
  /** The maximum number of waiting items; further ones are refused. */
  readonly waiting: number
}

/**
 * Processes items in groups. Items that arrive while a group is in progress form the next one, so that under load a
 * commit serves hundreds and without load no item waits. Each promise resolves when its group is done.
 *
 * @returns a function that returns the item's result, or undefined if too many are waiting
 */
export function grouped<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  limits: GroupLimits,
): (item: Item) => Promise<Result | undefined> {
  interface WaitingItem {
    readonly item: Item
    readonly resolve: (result: Result | undefined) => void
    readonly reject: (error: unknown) => void
  }
  const waiting: WaitingItem[] = []
  let isWorking = false

  async function processQueue(): Promise<void> {
    isWorking = true
    while (waiting.length > 0) {
      const group = waiting.splice(0, limits.groupSize)
      try {
        const results = await work(group.map(({ item }) => item))
        group.forEach(({ resolve }, index) => resolve(results[index]))
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    isWorking = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= limits.waiting) {
        resolve(undefined)
        return
      }
      waiting.push({ item, resolve, reject })
      if (!isWorking) void processQueue()
    })
}
