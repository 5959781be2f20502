import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { MAIN, startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES, queryEmbedded, testDatabase } from '../support/test-database.ts'

const PRODUCTION = fileURLToPath(new URL('../support/production-process.ts', import.meta.url))
const LIST_MODULES = new URL('../support/list-modules.ts', import.meta.url).href

const DEMONSTRATION_MODULE = /\/demonstration\/|\/development-chain\/|gallery/
const TABLES = ON_POSTGRES
  ? "select table_name as name from information_schema.tables where table_schema = 'public' order by 1"
  : "select name from sqlite_master where type = 'table' order by 1"

/** Runs a server until it has answered, and returns the modules it loaded and the tables it created. */
async function inspectServer(program: string) {
  using folder = temporaryFolder()
  const database = await testDatabase()
  const list = join(folder.path, 'modules')
  const server = await startServer({
    dataDir: folder.path,
    environment: {
      NODE_OPTIONS: `--import=${LIST_MODULES}`,
      MODULES_FILE: list,
      ...(database === undefined ? {} : { DATABASE_URL: database.url }),
    },
    program,
  })
  const status = async (path: string) => (await fetch(`${server.url}${path}`)).status
  const answers = {
    page: await status('/auth/login'),
    mailbox: await status('/dev/mailbox'),
    gallery: await status('/dev/gallery'),
    chain: await status('/chain/cosmos/base/tendermint/v1beta1/node_info'),
  }
  expect(await server.stop()).toBe(0)
  const rows = await (database?.query(TABLES) ?? queryEmbedded(folder.path, TABLES))
  await database?.drop()
  const modules = readFileSync(list, 'utf8').split('\n')
  return {
    answers,
    modules,
    demonstrationModules: modules.filter((url) => DEMONSTRATION_MODULE.test(url)),
    tables: rows.map(({ name }) => String(name)),
  }
}

test('9 a production process loads no module of the demonstration and has none of its tables', async () => {
  const production = await inspectServer(PRODUCTION)
  expect(production.modules).toContainEqual(expect.stringContaining('/apps/server/src/server.ts'))
  expect(production.demonstrationModules).toEqual([])
  expect(production.answers).toMatchObject({ page: 200, mailbox: 404, gallery: 404, chain: 404 })

  const demonstration = await inspectServer(MAIN)
  expect(demonstration.answers).toMatchObject({ page: 200, mailbox: 200, gallery: 200, chain: 200 })
  for (const name of ['demonstration/seed.ts', 'development-chain/src/chain.store.ts']) {
    expect(demonstration.demonstrationModules).toContainEqual(expect.stringContaining(name))
  }
  const extra = demonstration.tables.filter((name) => !production.tables.includes(name))
  expect(extra).toContain('chain_transactions')
  expect(extra.every((name) => name.startsWith('chain_'))).toBe(true)
  expect(production.tables.filter((name) => name.startsWith('chain_'))).toEqual([])
})
