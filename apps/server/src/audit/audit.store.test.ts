import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../tests/support/temporary-folder.ts'
import { parseConfig } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { auditStore } from './audit.store.ts'

test('9 a refused login for an unknown address runs the same statements as for a known one, so that it takes as long', async () => {
  using folder = temporaryFolder()
  await using database = await openDatabase(parseConfig({ DATA_DIR: folder.path }))
  let statements: string[] = []
  const audit = auditStore(
    database.withPlugin({
      transformQuery({ node }) {
        statements.push(node.kind)
        return node
      },
      transformResult: async ({ result }) => result,
    }),
  )
  const page = { network: '192.0.2.1', organization: { orgCode: 'FIGURE' } }
  const ran: string[][] = []
  for (const identityId of ['lars', null]) {
    statements = []
    await audit.record('sign-in-refused', { identityId, at: 1_800_000_000_000 }, page)
    ran.push(statements)
  }
  expect(ran[0]).toHaveLength(2)
  expect(ran[1]).toEqual(ran[0])
})
