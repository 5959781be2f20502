/** Ids remembered; what comes twice comes right after a connection was lost. */
const REMEMBERED = 10_000

/** Remembers the ids of messages for a while. */
export function recentIds() {
  let current = new Set<string>()
  let before = new Set<string>()
  return {
    has: (id: string) => current.has(id) || before.has(id),
    add(id: string): void {
      current.add(id)
      if (current.size < REMEMBERED) return
      before = current
      current = new Set()
    },
  }
}
