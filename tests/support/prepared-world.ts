/**
 * What most worlds begin with: a database with the newest schema and the demonstration's people in it. It is made once per
 * run, and each world gets a copy, because migrating and hashing take ten times as long as copying.
 */
import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { parseConfig } from '@portico/server/config'
import { openLog } from '@portico/server/log'
import { buildServer, type ServerParts } from '@portico/server/server'
import type { TestProject } from 'vitest/node'
import { temporaryFolder } from './temporary-folder.ts'
import { type TestDatabase, testDatabase } from './test-database.ts'

/** Where the copies come from, and the key that their secrets are encrypted with. */
export interface PreparedWorld {
  readonly masterKey: string
  readonly dataDir: string
  /** Its name on PostgreSQL; absent on the embedded database, which is a file in the folder. */
  readonly databaseName: string | undefined
}

declare module 'vitest' {
  export interface ProvidedContext {
    preparedWorld: PreparedWorld
  }
}

/** Settings of every world in a test. */
export function worldEnvironment(
  dataDir: string,
  database: TestDatabase | undefined,
): Record<string, string> {
  return {
    PORT: '0',
    DATA_DIR: dataDir,
    BOT_CHECK: 'off',
    // Tests name their world as a public one, and only this machine reaches it.
    ALLOW_INSECURE: 'PUBLIC_URL',
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
  }
}

/** Applications that need no build: their markup says which one it is. */
export const PLAIN_APPLICATIONS = {
  auth: plainApplication('auth'),
  portal: plainApplication('portal'),
  wallet: plainApplication('wallet'),
}

function plainApplication(name: string): NonNullable<ServerParts['applications']>['auth'] {
  return {
    render: async ({ path }) =>
      path === '/auth/unknown'
        ? { redirect: '/auth/login' }
        : { title: `The ${name} application`, html: `<main>${name}</main>` },
    entry: () => ({ styles: [], script: `/${name}/static/main.js`, fonts: [], preloads: [] }),
  }
}

/** Makes a copy: on PostgreSQL a database, otherwise the files in a data folder. */
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
