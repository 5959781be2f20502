// `npm run lender-app`: the application of a made-up lender, beside a running Portico. README.md describes it.
import path from 'node:path'
import { buildApp, webhookSecret } from './app.ts'
import { openDatabase } from './database.ts'

const {
  PORT = '3000',
  PORTICO_URL = 'http://localhost:8080',
  CLIENT_ID = 'lender-app',
  CLIENT_SECRET = 'demonstration-secret',
  LENDER_APP_DATA = 'data/lender-app',
} = process.env

/** Webhooks are received for users of these organizations. */
const ORGANIZATIONS = ['HARBORLINE', 'FIGURE']
/** Repeated, because Portico loses registered endpoints on a restart. */
const REGISTER_INTERVAL_MS = 10_000

const porticoUrl = new URL(PORTICO_URL).origin
const appUrl = `http://localhost:${PORT}`

try {
  await start()
} catch (error) {
  const { code } = error as { code?: string }
  process.stderr.write(
    code === 'EADDRINUSE'
      ? `Port ${PORT} is in use. Stop the process that uses it, or set PORT and add ${appUrl}/callback to config/clients/lender-app.json.\n`
      : `${error instanceof Error ? error.message : String(error)}\n`,
  )
  process.exitCode = 1
}

async function start(): Promise<void> {
  const people = await readPeople()
  const database = openDatabase(path.resolve(LENDER_APP_DATA, 'lender-app.sqlite'))
  const app = buildApp({
    porticoUrl,
    appUrl,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    database,
  })
  await app.listen({ host: 'localhost', port: Number(PORT) })
  const stop = () => void app.close().then(() => process.exit(0))
  process.once('SIGINT', stop).once('SIGTERM', stop)

  const secret = webhookSecret(database)
  const register = () =>
    Promise.all(
      ORGANIZATIONS.map((organization) =>
        fetch(`${porticoUrl}/dev/webhook-receivers`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ organization, url: `${appUrl}/webhooks`, secret }),
        }),
      ),
    ).catch(() => undefined) // Portico is restarting.
  await register()
  setInterval(() => void register(), REGISTER_INTERVAL_MS)

  const [person] = people
  process.stdout.write(`The lender's application is ready: ${appUrl}
  Log in as ${person?.email ?? ''} with the password ${person?.password ?? ''}
  Codes and mails: ${porticoUrl}/dev/mailbox
`)
}

/** The demonstration's users. */
async function readPeople(): Promise<readonly { email: string; password: string | null }[]> {
  const response = await fetch(`${porticoUrl}/dev/people`).catch((cause: unknown) => {
    throw new Error(
      `Portico does not run at ${porticoUrl}. Start it in another terminal with npm start, and then this again.`,
      { cause },
    )
  })
  if (!response.ok) {
    throw new Error(`${porticoUrl} is not the demonstration of Portico. Start it with npm start.`)
  }
  return (await response.json()) as { email: string; password: string | null }[]
}
