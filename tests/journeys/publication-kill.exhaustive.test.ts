/** A publication whose process is killed is complete or absent, on this node and on others (15). */
import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  publishOrganization,
  readOrganization,
  readOrganizationHistory,
  saveOrganizationDraft,
} from '@portico/contracts/admin/organizations'
import type { Call, Parsed } from '@portico/contracts/call'
import { parseConfig } from '@portico/server/config'
import { withServiceTokens } from '@portico/server/manage-service-tokens'
import { expect, test } from 'vitest'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'

const RUNS = 40
const CODE = 'HARBORLINE'
/** Longer than a publication takes on a busy machine. */
const MOMENTS_MS = 120
const VISIBLE_WITHIN_MS = 5000

test(`15 killed at a random moment of ${RUNS} publications, a node leaves each of them complete or absent`, {
  tags: ['database'],
}, async () => {
  using data = temporaryFolder()
  const database = await testDatabase()
  const environment = {
    BOT_CHECK: 'off',
    MASTER_KEY: randomBytes(32).toString('base64'),
    ...(database && { DATABASE_URL: database.url }),
  }
  const start = () => startServer({ dataDir: data.path, environment })
  let node = await start()
  await node.stop()
  const token = await withServiceTokens(
    parseConfig({ ...environment, DATA_DIR: data.path }),
    async (tokens) =>
      (
        await tokens.create({
          name: 'publisher',
          permissions: ['organizations.read', 'organizations.write', 'organizations.publish'],
          organizationCodes: [CODE],
          days: 1,
          reason: 'A test.',
        })
      ).token,
  )
  // A second node, which is never killed; the embedded database belongs to one process.
  const other = database && (await start())
  node = await start()

  async function call<C extends Call>(
    { method, path, answer }: C,
    input: Readonly<Record<string, unknown>>,
  ): Promise<Parsed<C['answer']>> {
    const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
    const response = await fetch(`${node.url}${path}${query}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(input) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return answer?.parse(await response.json()) as Parsed<C['answer']>
  }
  const shows = async (url: string, name: string) =>
    (await (await fetch(`${url}/auth/login?orgCode=${CODE}`)).text()).includes(name)

  const outcomes = { acknowledged: 0, there: 0, missing: 0 }
  let [shown, version] = ['Harborline', 0]
  for (let run = 1; run <= RUNS; run += 1) {
    const name = `Harborline number ${run}.`
    const { published, draft } = await call(readOrganization, { orgCode: CODE })
    const company = published.content['companyInfo'] as object
    const saved = await call(saveOrganizationDraft, {
      orgCode: CODE,
      content: { ...published.content, companyInfo: { ...company, name } },
      revision: draft?.revision ?? 0,
      baseVersion: published.version,
    })
    if (saved.outcome !== 'saved') throw new Error(`The draft was not saved: ${saved.outcome}`)
    const publication = call(publishOrganization, {
      orgCode: CODE,
      revision: saved.draft.revision,
      reason: 'A test.',
    }).then(
      ({ outcome }) => outcome === 'published',
      () => false,
    )
    await wait(randomInt(0, MOMENTS_MS))
    await node.kill()
    const isAcknowledged = await publication
    node = await start()

    const after = await call(readOrganization, { orgCode: CODE })
    const isThere = after.published.version === version + 1
    if (isThere) [shown, version] = [name, version + 1]
    outcomes[isAcknowledged ? 'acknowledged' : isThere ? 'there' : 'missing'] += 1
    // Acknowledged publications are there; the others left their draft and nothing else.
    expect(isThere || !isAcknowledged).toBe(true)
    expect(after.published.version).toBe(version)
    expect(after.draft === null).toBe(isThere)
    const { items } = await call(readOrganizationHistory, { orgCode: CODE })
    expect(items[0]?.version ?? 0).toBe(version)
    expect(await shows(node.url, shown)).toBe(true)
    if (other) {
      await expect.poll(() => shows(other.url, shown), { timeout: VISIBLE_WITHIN_MS }).toBe(true)
    }
  }
  // The kills came before, during and after the commit.
  expect(outcomes.missing).toBeGreaterThan(0)
  expect(outcomes.acknowledged + outcomes.there).toBeGreaterThan(0)
  await node.stop()
  await other?.stop()
  await database?.drop()
})
