/** Runs prompts one at a time, in order of arrival. A wallet with several sessions passes one queue to all of them. */
export interface PromptQueue {
  /** Settles with the result of `ask`, or rejects if the prompt is withdrawn before its turn. */
  readonly run: <Value>(
    prompt: QueuedPrompt,
    ask: () => Promise<Value>,
    withdrawn: AbortSignal,
  ) => Promise<Value>
}

interface QueuedPrompt {
  /** The id of the page's request, as the page wrote it. */
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly arrivedAt: number
}

/** The queue of one session. A withdrawn prompt does not block the next one, even if it never settles. */
export function promptQueue(): PromptQueue {
  let previous: Promise<unknown> = Promise.resolve()
  return {
    run(_, ask, withdrawn) {
      const current = previous.then(ask)
      previous = Promise.race([current.catch(() => undefined), aborted(withdrawn)])
      return current
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  else signal.addEventListener('abort', () => resolve())
  return promise
}
