import { spawn } from 'node:child_process'
import path from 'node:path'

const MAIN = path.resolve(import.meta.dirname, '../../examples/terminal-wallet/src/main.ts')

/** The terminal wallet in its own process, with scripted answers to its prompts. */
export interface TerminalWallet extends Disposable {
  /** Its output so far. */
  readonly output: () => string
  /** Its exit code. */
  readonly ended: Promise<number | null>
}

/** Starts `npm run wallet` with a connection URI and these answers on standard input. */
export function terminalWallet(
  uri: string,
  answers: readonly ('yes' | 'no')[],
  options: { readonly args?: readonly string[]; readonly words?: string } = {},
): TerminalWallet {
  const { WALLET_WORDS: _, ...env } = process.env
  const child = spawn(process.execPath, [MAIN, uri, ...(options.args ?? [])], {
    env: options.words === undefined ? env : { ...env, WALLET_WORDS: options.words },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stdin.end(answers.map((answer) => `${answer}\n`).join(''))
  return { output: () => output, ended, [Symbol.dispose]: () => void child.kill() }
}
