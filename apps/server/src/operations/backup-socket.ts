import { createHash } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'

/** The socket on which a data folder's server accepts backup requests. */
export function backupSocketPath(dataDir: string): string {
  if (process.platform !== 'win32') return join(dataDir, 'backup.sock')
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 32)
  return `\\\\.\\pipe\\portico-backup-${name}`
}

/**
 * Accepts backup requests from this machine. A client sends the path of the target file and receives `done` or an error
 * message. Access requires permission for the data folder.
 */
export function serveBackups(deps: {
  readonly dataDir: string
  readonly copyTo: (file: string) => Promise<unknown>
  readonly log: Logger
}): Server {
  const { dataDir, copyTo, log } = deps
  const path = backupSocketPath(dataDir)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let file = ''
    socket.on('data', (chunk: Buffer) => {
      file += chunk
    })
    socket.on('error', () => socket.destroy())
    socket.once('end', () => {
      copyTo(file).then(
        () => {
          log.info({ file }, 'backup written')
          socket.end('done')
        },
        (error: unknown) => {
          log.error({ err: error }, 'backup failed')
          socket.end(error instanceof Error ? error.message : 'The backup failed')
        },
      )
    })
  })
  server.on('error', (error) =>
    log.error({ err: error }, 'backups are unavailable while the server runs'),
  )
  // This process owns the database, so an existing socket is left over from a killed process.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  server.listen(path, () => {
    if (process.platform !== 'win32') chmodSync(path, 0o600)
  })
  return server.unref()
}
