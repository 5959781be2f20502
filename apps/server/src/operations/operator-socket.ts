/**
 * Requests from operators' commands to the running server, the only process that may open the embedded database. A client on
 * this machine sends one text and receives `done` with the command's output, or an error message. Access requires permission
 * for the data folder.
 */
import { createHash } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { ConfigError } from '../config-error.ts'
import { redact } from './log.ts'

type CommandName = 'backup' | 'organization' | 'sso-link' | 'webhooks'

const DONE = 'done\n'

/** The socket on which a data folder's server accepts requests for a command. */
function socketPath(dataDir: string, command: CommandName): string {
  if (process.platform !== 'win32') return join(dataDir, `${command}.sock`)
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 32)
  return `\\\\.\\pipe\\portico-${command}-${name}`
}

/** Accepts requests for a command. */
export function serveCommand(deps: {
  readonly dataDir: string
  readonly command: CommandName
  readonly handle: (text: string) => Promise<unknown>
  readonly log: Logger
}): Server {
  const { dataDir, command, handle, log } = deps
  const path = socketPath(dataDir, command)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk
    })
    socket.on('error', () => socket.destroy())
    socket.once('end', () => {
      handle(text).then(
        (result) => {
          log.info({ command, text: redact(text) }, 'command done')
          socket.end(`${DONE}${typeof result === 'string' ? result : ''}`)
        },
        (error: unknown) => {
          log.error({ err: error, command }, 'command failed')
          socket.end(messageOf(error))
        },
      )
    })
  })
  server.on('error', (error) =>
    log.error({ err: error, command }, 'the command is unavailable while the server runs'),
  )
  // This process owns the database, so an existing socket is left over from a killed process.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  server.listen(path, () => {
    if (process.platform !== 'win32') chmodSync(path, 0o600)
  })
  return server.unref()
}

function messageOf(error: unknown): string {
  if (error instanceof ConfigError) return error.errors.join('\n  - ')
  return error instanceof Error ? error.message : 'The command failed'
}

/**
 * Sends a request to a data folder's server.
 *
 * @returns the command's output; undefined if no server is running
 * @throws ConfigError - with the server's error message
 */
export function requestFromServer(
  dataDir: string,
  command: CommandName,
  text: string,
): Promise<string | undefined> {
  return new Promise((fulfill, reject) => {
    let answer = ''
    const socket = connect(socketPath(dataDir, command), () => socket.end(text))
    socket.on('data', (chunk: Buffer) => {
      answer += chunk
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      code === 'ENOENT' || code === 'ECONNREFUSED'
        ? fulfill(undefined)
        : reject(new ConfigError([`The server using ${dataDir} cannot be reached (${code})`])),
    )
    socket.once('close', () =>
      answer.startsWith(DONE)
        ? fulfill(answer.slice(DONE.length))
        : reject(new ConfigError([answer || 'The server stopped before the command was done'])),
    )
  })
}
