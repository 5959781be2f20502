import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../../tests/support/temporary-folder.ts'
import { parseConfig } from '../../config.ts'
import { openDatabase } from '../../database/database.ts'
import type { Visitor } from '../../http/visitor.ts'
import { allStores } from '../../stores.ts'
import type { Operator } from '../operators/operators.ts'
import { experimentRuns } from './run-experiments.ts'

test('15 a run is reported as started and as ended, even if the database is lost after the commit', async () => {
  using folder = temporaryFolder()
  await using database = await openDatabase(parseConfig({ DATA_DIR: folder.path }))
  const stores = allStores(database)
  let isLost = false
  const lost = () => Promise.reject(new Error('lost'))
  const runs = experimentRuns({
    stores: {
      ...stores,
      async atomically(work) {
        const result = await stores.atomically(work)
        isLost = true
        return result
      },
      experimentRuns: {
        ...stores.experimentRuns,
        findById: (id) => (isLost ? lost() : stores.experimentRuns.findById(id)),
      },
    },
    files: [],
    organizations: { withCode: () => undefined },
    clock: () => 1_800_000_000_000,
    refresh: lost,
    server: () => undefined,
  })
  const operator: Operator = {
    kind: 'person',
    id: 'ada',
    name: 'ada.admin@lender.example',
    scopeOf: () => ({ all: true }),
    permissions: [],
  }
  // What the audit log reads.
  const visitor = { network: '192.0.2.1', organization: { orgCode: 'FIGURE' } } as Visitor
  const by = { operator, visitor }
  const split = { percent: 50, outcome: 'registration' } as const
  const reason = 'Which page is clearer?'
  const { runId, state } = await runs.start({ key: 'broker-agent-login', split, reason }, by)
  expect(state).toBe('running')
  isLost = false
  const ended = await runs.end({ runId, afterwards: 'file', reason: 'Decided.' }, by)
  isLost = false
  expect(ended).toMatchObject({ state: 'ended', endReason: 'Decided.', afterwards: 'file' })
  expect((await runs.list(operator)).items.flatMap((each) => each.runs)).toEqual([ended])
})
