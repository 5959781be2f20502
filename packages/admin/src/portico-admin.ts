#!/usr/bin/env node
// `portico-admin COMMAND`: Portico's admin API on the command line.
import { AdminError } from './admin-error.ts'
import { openAdmin } from './client.ts'
import { parseCommandLine, UsageError } from './command-line.ts'
import { ApprovalPending, COMMANDS, CommandFailure } from './commands.ts'
import { openOutput, replaceControlCharacters } from './output.ts'

const EXIT = { failed: 1, usage: 2, token: 3, notFound: 4, noAnswer: 5, waits: 6 } as const

/** Runs a command and returns its exit code. */
async function main(words: readonly string[]): Promise<number> {
  try {
    const line = parseCommandLine(COMMANDS, words)
    if (line.kind === 'help') {
      console.log(line.text)
      return 0
    }
    const { PORTICO_URL: url, PORTICO_ADMIN_TOKEN: token, PORTICO_ALLOW_INSECURE } = process.env
    if (!url || !token) {
      throw new UsageError(
        `Set ${url ? 'PORTICO_ADMIN_TOKEN to a service token (ptk_…)' : 'PORTICO_URL to the origin of the installation, such as https://login.lender.example'}.`,
      )
    }
    const output = openOutput(process.stdout, { json: line.flags.has('json') })
    const admin = openAdmin({ url, token, allowInsecure: PORTICO_ALLOW_INSECURE === '1' })
    await line.command.run({ ...line, admin, output })
    return 0
  } catch (error) {
    if (error instanceof ApprovalPending) return EXIT.waits
    const code = exitCodeOf(error)
    if (code === undefined) throw error
    console.error(
      (error as Error).message
        .split('\n')
        .map((each) => replaceControlCharacters(each))
        .join('\n'),
    )
    return code
  }
}

function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof UsageError) return EXIT.usage
  if (error instanceof CommandFailure) return error.isNotFound ? EXIT.notFound : EXIT.failed
  // A file could not be read or written; Node's message names it and says why.
  if (error instanceof Error && 'syscall' in error) return EXIT.failed
  if (!(error instanceof AdminError)) return undefined
  if (error.code === 'invalid-options') return EXIT.usage
  if (error.code === 'service-token-refused' || error.code === 'not-permitted') return EXIT.token
  if (error.code === 'not-found') return EXIT.notFound
  return error.isTemporary ? EXIT.noAnswer : EXIT.failed
}

// The reader of a pipe, such as `head`, may close it early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
process.exitCode = await main(process.argv.slice(2))
