import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import {
  publishOrganization,
  readOrganization,
  saveOrganizationDraft,
} from '@portico/contracts/admin/organizations'
import type { Call, Parsed } from '@portico/contracts/call'
import { simulatedWinners } from '@portico/rules/simulated-experiments'
import { insertServiceToken } from './admin-figures.ts'
import { builtKilobytes } from './built-kilobytes.ts'
import { type Figure, figure, short } from './figure.ts'
import { reactAlone } from './page-figures.ts'
import { aSite, type Product } from './sites.ts'

const SIZE_BUDGET_KB = 150
const VISIBLE_BUDGET_MS = 5000
const FALSE_WINNERS_BUDGET = 0.05
/** Read daily; nothing differs between the variants. */
const EXPERIMENTS = { runs: 3000, visitorsPerArm: 10_000, every: 250, rate: 0.3, lift: 0, seed: 15 }
const CODE = 'HARBORLINE'
const TOKEN = 'ptk_bench-of-publications-00000000000000000'

/** The console's size, its experiments, and how soon a publication is shown. */
export async function consoleFigures(rounds: number): Promise<Figure[]> {
  const { sequence, naive } = simulatedWinners(EXPERIMENTS)
  const percent = (share: number) => `${short(share * 100)} %`
  return [
    figure({
      figure: 'First load of the console, gzip; React and ReactDOM alone',
      on: 'console',
      ours: [builtKilobytes('console', 'src/main.tsx')],
      baseline: [await reactAlone()],
      write: (kilobytes) => `${short(kilobytes)} kB`,
      budget: { text: `${SIZE_BUDGET_KB} kB`, isMet: ({ ours }) => ours <= SIZE_BUDGET_KB },
    }),
    figure({
      figure: 'False winners of 3,000 A/A experiments, read daily; by a test at 5 % at every look',
      on: 'console',
      ours: [sequence],
      baseline: [naive],
      write: percent,
      budget: {
        text: `under ${percent(FALSE_WINNERS_BUDGET)}`,
        isMet: ({ ours }) => ours < FALSE_WINNERS_BUDGET,
      },
    }),
    await publications(rounds),
  ]
}

/** From the answer to a publication until the login page of both nodes has the new name, against the publication itself. */
async function publications(rounds: number): Promise<Figure> {
  await using site = await aSite('PostgreSQL', 1)
  await site.execute([insertServiceToken(TOKEN, ['*'], Date.now())])
  await using one = await site.serve()
  await using other = await site.serve()
  const [shown, answered]: [number[], number[]] = [[], []]
  // The first one only warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const name = `Harborline ${round}`
    const begin = performance.now()
    await publish(one, name)
    const published = performance.now()
    await Promise.all([one, other].map((node) => untilShown(node, name)))
    if (round === 0) continue
    answered.push(published - begin)
    shown.push(performance.now() - published)
  }
  return figure({
    figure: 'Publication of a brand to visible on both nodes; saving and publishing it',
    on: 'PostgreSQL',
    ours: shown,
    baseline: answered,
    write: (ms) => `${short(ms)} ms`,
    budget: { text: 'under 5 s', isMet: ({ ours }) => ours < VISIBLE_BUDGET_MS },
  })
}

async function publish(node: Product, name: string): Promise<void> {
  const { published, draft } = await call(node, readOrganization, { orgCode: CODE })
  const content = {
    ...published.content,
    companyInfo: { ...(published.content['companyInfo'] as object), name },
  }
  const [revision, baseVersion] = [draft?.revision ?? 0, published.version]
  const saved = await call(node, saveOrganizationDraft, {
    orgCode: CODE,
    content,
    revision,
    baseVersion,
  })
  if (saved.outcome !== 'saved') throw new Error(`The draft was not saved: ${saved.outcome}`)
  const { outcome } = await call(node, publishOrganization, {
    orgCode: CODE,
    revision: saved.draft.revision,
    reason: 'Measured.',
  })
  if (outcome !== 'published') throw new Error(`The draft was not published: ${outcome}`)
}

async function untilShown({ port }: Product, name: string): Promise<void> {
  const deadline = performance.now() + 10 * VISIBLE_BUDGET_MS
  while (performance.now() < deadline) {
    const page = await fetch(`http://127.0.0.1:${port}/auth/login?orgCode=${CODE}`)
    if ((await page.text()).includes(name)) return
    await wait(10)
  }
  throw new Error(`The login page does not show ${name}`)
}

async function call<C extends Call>(
  { port }: Product,
  { method, path, answer }: C,
  input: Readonly<Record<string, unknown>>,
): Promise<Parsed<C['answer']>> {
  const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const response = await fetch(`http://127.0.0.1:${port}${path}${query}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(input) }),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return answer?.parse(await response.json()) as Parsed<C['answer']>
}
