/** How many ids are remembered at least. Duplicates only arrive shortly after a lost connection. */
const REMEMBERED = 10_000

/** Remembers the ids of recent messages. */
export function recentIds() {
  let current = new Set<string>()
  let previous = new Set<string>()
  return {
    has: (id: string) => current.has(id) || previous.has(id),
    add(id: string): void {
      current.add(id)
      if (current.size < REMEMBERED) return
      previous = current
      current = new Set()
    },
  }
}
