import { createHash } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'

/** Where the server of a data folder is asked for a backup. */
export function backupSocketOf(dataDir: string): string {
  if (process.platform !== 'win32') return join(dataDir, 'backup.sock')
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 32)
  return `\\\\.\\pipe\\portico-backup-${name}`
}

/**
 * Takes requests for a backup from this machine: a connection sends the path of the file and hears `done`, or why not.
 * Only who may enter the data folder reaches it.
 */
export function serveBackups(deps: {
  readonly dataDir: string
  readonly copyTo: (file: string) => Promise<unknown>
  readonly log: Logger
}): Server {
  const { dataDir, copyTo, log } = deps
  const path = backupSocketOf(dataDir)
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
    log.error({ err: error }, 'no backups can be made while the server runs'),
  )
  // The database is ours alone, so a socket that is there was left behind by a process that was killed.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  server.listen(path, () => {
    if (process.platform !== 'win32') chmodSync(path, 0o600)
  })
  return server.unref()
}
