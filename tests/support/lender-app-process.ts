/** The application in examples/lender-app in its own process, alongside a world. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Data } from '@portico/server/load-data'
import { freePort } from '../../tools/machine/free-port.ts'
import { publicClient } from './lender-application.ts'
import { temporaryFolder } from './temporary-folder.ts'

const MAIN = fileURLToPath(new URL('../../examples/lender-app/src/main.ts', import.meta.url))
const READY = /^The lender's application is ready: (\S+)$/m
/** Of `demonstration-secret`. */
const SECRET_HASH = 'fe9262dc5a1897c84e93ec323dadf89ccabf386c676f0d8874dd1028c5ef185c'
const CLIENT_ID = 'example-app'

export interface LenderApp extends AsyncDisposable {
  readonly url: string
}

/** The client of the application at a free port. */
export async function lenderAppClient(): Promise<Data['clients'][number] & { port: number }> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  return {
    ...publicClient(CLIENT_ID, {
      organization: 'HARBORLINE',
      alsoOrganizations: ['FIGURE'],
      authentication: 'secret',
      secretHashes: [SECRET_HASH],
      redirectUris: [`${url}/callback`],
      postLogoutRedirectUris: [`${url}/`],
      backChannelLogoutUri: `${url}/back-channel-logout`,
    }),
    port,
  }
}

export async function startLenderApp(
  porticoUrl: string,
  { port, clientId }: { readonly port: number; readonly clientId: string },
): Promise<LenderApp> {
  const folder = temporaryFolder()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      PORTICO_URL: porticoUrl,
      CLIENT_ID: clientId,
      LENDER_APP_DATA: folder.path,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      output += chunk
      const [, url] = READY.exec(output) ?? []
      if (url !== undefined) resolve(url)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('close', (code) => reject(new Error(`It ended with ${code}.\n${output}`)))
  })
  return {
    url,
    async [Symbol.asyncDispose]() {
      process.off('exit', end)
      if (child.exitCode === null) {
        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        await exited
      }
      folder.remove()
    },
  }
}
