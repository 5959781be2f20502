import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { preparedData, type ServerProcess, startServer } from '../../support/server-process.ts'

/** A server with sign-ins that can be aged. */
export interface AgedServer extends AsyncDisposable {
  readonly url: string
  /** Stops the server, ages the last proof of every session, and restarts it on the same port. */
  readonly age: (milliseconds: number) => Promise<void>
}

/** Starts a server on its own data; tests cannot move its clock. */
export async function agedServer(): Promise<AgedServer> {
  const folder = preparedData()
  let server: ServerProcess = await startServer({ dataDir: folder.path })
  const { url } = server
  return {
    url,
    async age(milliseconds) {
      await server.stop()
      const database = new DatabaseSync(join(folder.path, 'portico.sqlite'))
      for (const proof of ['created_at', 'confirmed_at']) {
        database.prepare(`update sessions set ${proof} = ${proof} - ?`).run(milliseconds)
      }
      database.close()
      const environment = { PORT: new URL(url).port }
      server = await startServer({ dataDir: folder.path, environment })
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      folder.remove()
    },
  }
}
