/**
 * The starting point of most worlds: a database with the newest schema and the demonstration's people. It is created once per
 * run and copied for each world, because migrating and hashing take ten times as long as copying.
 */
import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { parseConfig } from '@portico/server/config'
import { openLog } from '@portico/server/log'
import { buildServer, type ServerParts } from '@portico/server/server'
import type { TestProject } from 'vitest/node'
import { temporaryFolder } from './temporary-folder.ts'
import { type TestDatabase, testDatabase } from './test-database.ts'

/** The source of the copies, and the master key of their secrets. */
export interface PreparedWorld {
  readonly masterKey: string
  readonly dataDir: string
  /** Its name on PostgreSQL; absent for the embedded database, a file in the folder. */
  readonly databaseName: string | undefined
}

declare module 'vitest' {
  export interface ProvidedContext {
    preparedWorld: PreparedWorld
  }
}

/** Settings that all worlds share. */
export function worldEnvironment(
  dataDir: string,
  database: TestDatabase | undefined,
): Record<string, string> {
  return {
    PORT: '0',
    DATA_DIR: dataDir,
    BOT_CHECK: 'off',
    // Tests use a public host name, but only this machine can reach the server.
    // The shipped organizations have made-up contacts, which production refuses.
    ALLOW_INSECURE: 'PUBLIC_URL,CONFIG_DIR',
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
  }
}

/** Applications without a build: the markup is the application's name. */
export const PLAIN_APPLICATIONS = {
  auth: plainApplication('auth'),
  console: plainApplication('console'),
  portal: plainApplication('portal'),
  wallet: plainApplication('wallet'),
  mobile: {
    entry: () => plainEntry('mobile-wallet'),
    files: ['/mobile-wallet/static/main.js'],
    serviceWorker: 'addEventListener("fetch", () => undefined)',
  },
}

const plainEntry = (name: string) => ({
  styles: [],
  script: `/${name}/static/main.js`,
  fonts: [],
  preloads: [],
})

function plainApplication(name: string): NonNullable<ServerParts['applications']>['auth'] {
  return {
    render: async ({ path }) =>
      path === '/auth/unknown'
        ? { redirect: '/auth/login' }
        : { title: `The ${name} application`, html: `<main>${name}</main>` },
    entry: () => plainEntry(name),
  }
}

/** Copies the database on PostgreSQL, otherwise the files into a data folder. */
export async function copyPrepared(
  { dataDir, databaseName }: PreparedWorld,
  target: string,
): Promise<TestDatabase | undefined> {
  if (databaseName !== undefined) return testDatabase({ template: databaseName })
  cpSync(dataDir, target, { recursive: true })
  return undefined
}

/** Runs once, before the first test of a run. */
export default async function prepareWorld({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = temporaryFolder()
  const database = await testDatabase()
  const masterKey = randomBytes(32).toString('base64')
  const config = parseConfig({
    ...worldEnvironment(folder.path, database),
    MASTER_KEY: masterKey,
  })
  const server = await buildServer(config, {
    log: openLog('silent'),
    applications: PLAIN_APPLICATIONS,
  })
  await server.close()
  provide('preparedWorld', {
    masterKey,
    dataDir: folder.path,
    databaseName: database?.name,
  })
  return async () => {
    await database?.drop()
    folder.remove()
  }
}
