/** Stores a session, and runs actions that require that it is stored. */
export interface SessionStorage {
  /** Stores the session. Settles when it is stored; rejects if that fails. */
  readonly save: () => Promise<void>
  /** Runs actions in order, each after everything that was saved before it, with whether that succeeded. */
  readonly afterSaving: (action: (isSaved: boolean) => void) => void
  /** Settles when everything saved so far was stored or reported, with whether the last write succeeded. */
  readonly saved: () => Promise<boolean>
  /** Settles when everything is stored and every action has run. */
  readonly settled: () => Promise<void>
}

/** Writes immediately and waits for nothing. */
export function immediateStorage(write: () => unknown): SessionStorage {
  const done = Promise.resolve()
  return {
    save() {
      write()
      return done
    },
    afterSaving: (action) => action(true),
    saved: async () => true,
    settled: () => done,
  }
}

/**
 * Writes one at a time. A write starts after the current task, and changes made while another is running are combined into the
 * next one, so a page cannot cause more writes than the storage can take.
 */
export function sequentialStorage(
  write: () => unknown,
  report: (error: unknown) => void,
): SessionStorage {
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let isSaved = true

  return {
    save() {
      if (next !== undefined) return next
      const saving = last.then(async () => {
        next = undefined
        isSaved = false
        await write()
        isSaved = true
      })
      next = saving
      last = saving.catch(report)
      return saving
    },
    afterSaving(action) {
      // What is saved from now on belongs to a later write.
      next = undefined
      last = last.then(() => action(isSaved)).catch(report)
    },
    saved: () => last.then(() => isSaved),
    async settled() {
      for (let waited: Promise<void> | undefined; waited !== last; ) {
        waited = last
        await waited
      }
    },
  }
}
