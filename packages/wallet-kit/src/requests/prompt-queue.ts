import type { PromptQueue } from '@portico/wallet-connect/wallet'

/** The prompts of all pages connected to a wallet, one at a time. */
export interface SharedPromptQueue extends PromptQueue {
  /** The number of prompts, including the current one. */
  readonly length: () => number
  /** Continues with the next prompt before the current one has settled. */
  readonly release: () => void
  /** Starts with the prompts queued so far, in order of arrival. Until then they only wait. */
  readonly open: () => void
}

interface Entry {
  readonly arrivedAt: number
  readonly start: () => Promise<void>
}

/**
 * One queue for all connected pages, in order of arrival. A prompt that is withdrawn before its turn is removed. The current one
 * keeps its turn until it settles or is released, because after its approval only its result ends it.
 */
export function promptQueue(onChange: () => void): SharedPromptQueue {
  const waiting: Entry[] = []
  let current: Entry | undefined
  let isOpen = false

  function advance(): void {
    if (!isOpen || current !== undefined) return
    current = waiting.shift()
    if (current === undefined) return
    const started = current
    void started.start().then(() => {
      if (current === started) release()
    })
  }

  function release(): void {
    current = undefined
    onChange()
    advance()
  }

  function insert(entry: Entry): void {
    const later = waiting.findIndex(({ arrivedAt }) => arrivedAt > entry.arrivedAt)
    waiting.splice(later < 0 ? waiting.length : later, 0, entry)
  }

  return {
    run<Value>(
      { arrivedAt }: { readonly arrivedAt: number },
      ask: () => Promise<Value>,
      withdrawn: AbortSignal,
    ) {
      const { promise, resolve, reject } = Promise.withResolvers<Value>()
      const remove = () => {
        const index = waiting.indexOf(entry)
        if (index < 0) return
        waiting.splice(index, 1)
        reject(withdrawn.reason)
        onChange()
      }
      const entry: Entry = {
        arrivedAt,
        async start() {
          withdrawn.removeEventListener('abort', remove)
          await ask().then(resolve, reject)
        },
      }
      insert(entry)
      if (withdrawn.aborted) remove()
      else withdrawn.addEventListener('abort', remove)
      onChange()
      advance()
      return promise
    },
    length: () => waiting.length + (current === undefined ? 0 : 1),
    release,
    open() {
      isOpen = true
      advance()
    },
  }
}
