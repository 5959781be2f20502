import { createInterface } from 'node:readline'

/** A terminal, or a substitute for one in tests. */
export interface Terminal {
  readonly say: (...lines: readonly string[]) => void
  /** Prompts until the answer is yes or no. The end of the input and an aborted signal count as no. */
  readonly confirm: (question: string, signal: AbortSignal) => Promise<boolean>
  readonly close: () => void
}

/** The terminal of this process. Answers may also be piped in, one per line. */
export function processTerminal(): Terminal {
  const reader = createInterface({ input: process.stdin, terminal: false })
  const lines: AsyncIterator<string, unknown> = reader[Symbol.asyncIterator]()
  let next: Promise<IteratorResult<string, unknown>> | undefined

  /** A line that arrives after its prompt was withdrawn answers the next prompt. */
  async function nextLine(signal: AbortSignal): Promise<string | undefined> {
    next ??= lines.next()
    const line = await Promise.race([next, aborted(signal)])
    if (line === undefined) return undefined
    next = undefined
    return line.done === true ? undefined : line.value
  }

  const say: Terminal['say'] = (...texts) => void process.stdout.write(`${texts.join('\n')}\n`)

  return {
    say,
    async confirm(question, signal) {
      for (;;) {
        process.stdout.write(`${question} (yes/no) `)
        const answer = (await nextLine(signal))?.trim().toLowerCase()
        if (!process.stdin.isTTY) say(answer ?? '')
        if (answer === undefined) {
          say(
            signal.aborted
              ? 'The page withdrew the request.'
              : 'No answer, so the request is rejected.',
          )
          return false
        }
        if (['y', 'yes'].includes(answer)) return true
        if (['n', 'no'].includes(answer)) return false
      }
    },
    close: () => reader.close(),
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
