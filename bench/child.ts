import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A child process that communicates by messages. */
export type Child = AsyncDisposable & {
  readonly pid: number
  /** Sends a message and waits for the next reply. */
  readonly ask: <Reply>(message: unknown) => Promise<Reply>
  /** The next unsolicited message. */
  readonly receive: <Reply>() => Promise<Reply>
}

const DEADLINE_MS = 300_000

/** Runs a file of this folder in a process that ends with ours. */
export function child(
  file: string,
  options: {
    readonly environment?: Readonly<Record<string, string>>
    readonly node?: readonly string[]
  } = {},
): Child {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const started = fork(path, {
    env: { PATH: process.env.PATH, ...poolSize(), ...options.environment },
    execArgv: [...(options.node ?? [])],
    serialization: 'advanced',
    // Logs are written as in production but discarded; a crash is reported by the exit code.
    stdio: [
      'ignore',
      'ignore',
      process.env.PORTICO_TEST_BENCH_LOG === '1' ? 'inherit' : 'ignore',
      'ipc',
    ],
  })
  const end = () => started.kill('SIGKILL')
  process.once('exit', end)
  started.once('exit', () => process.off('exit', end))
  const receive = <Reply>() => nextMessage<Reply>(started, file)
  return {
    pid: started.pid ?? 0,
    receive,
    async ask<Reply>(message: unknown) {
      const reply = receive<Reply>()
      started.send(message as object)
      return reply
    },
    async [Symbol.asyncDispose]() {
      if (started.exitCode !== null || started.signalCode !== null) return
      const exited = once(started, 'exit')
      started.kill('SIGTERM')
      await exited
    },
  }
}

/** The thread pool hashes passwords; its size applies to the product and the baseline. */
function poolSize(): Record<string, string> {
  const size = process.env.UV_THREADPOOL_SIZE
  return size === undefined ? {} : { UV_THREADPOOL_SIZE: size }
}

function nextMessage<Reply>(started: ChildProcess, file: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => settle(() => reject(new Error(`${file} sent no message`))),
      DEADLINE_MS,
    )
    const message = (reply: unknown) => settle(() => resolve(reply as Reply))
    const exit = (code: number | null) =>
      settle(() => reject(new Error(`${file} ended with ${code} before it answered`)))
    function settle(done: () => void) {
      clearTimeout(late)
      started.off('message', message).off('exit', exit)
      done()
    }
    started.on('message', message).on('exit', exit)
  })
}
