import { createInterface } from 'node:readline'

/** A terminal, or what stands in for one: lines go out, answers come in. */
export interface Terminal {
  readonly say: (...lines: readonly string[]) => void
  /** Asks until it hears yes or no. No answer, or a signal that aborts, is a no. */
  readonly confirm: (question: string, signal: AbortSignal) => Promise<boolean>
  readonly close: () => void
}

/** The terminal this program runs in. Answers may also be piped in, one on each line, before they are asked for. */
export function processTerminal(): Terminal {
  const reader = createInterface({ input: process.stdin, terminal: false })
  const lines: AsyncIterator<string, unknown> = reader[Symbol.asyncIterator]()
  let next: Promise<IteratorResult<string, unknown>> | undefined

  /** A line that was awaited for a question that is gone is the answer to the next one. */
  async function nextLine(signal: AbortSignal): Promise<string | undefined> {
    next ??= lines.next()
    const line = await Promise.race([next, aborted(signal)])
    if (line === undefined) return undefined
    next = undefined
    return line.done === true ? undefined : line.value
  }

  const say: Terminal['say'] = (...said) => void process.stdout.write(`${said.join('\n')}\n`)

  return {
    say,
    async confirm(question, signal) {
      for (;;) {
        process.stdout.write(`${question} (yes/no) `)
        const answer = (await nextLine(signal))?.trim().toLowerCase()
        if (!process.stdin.isTTY) say(answer ?? '')
        if (answer === undefined) {
          say(signal.aborted ? 'The page has withdrawn the question.' : 'No answer: that is a no.')
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
