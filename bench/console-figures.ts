import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import {
  publishOrganization,
  readOrganization,
  saveOrganizationDraft,
} from '@portico/contracts/admin/organizations'
import type { Call, Parsed } from '@portico/contracts/call'
import { simulatedWinners } from '@portico/rules/simulated-experiments'
import { authenticatorCode } from '../tests/support/authenticator.ts'
import { PEOPLE } from '../tests/support/people.ts'
import { BROWSER_SWITCHES, requireChromium } from '../tools/machine/chromium.ts'
import { insertServiceToken } from './admin-figures.ts'
import { builtKilobytes } from './built-kilobytes.ts'
import { type Figure, figure, latencyFigure, short } from './figure.ts'
import { reactAlone } from './script-sizes.ts'
import { aSite, type Product } from './sites.ts'
import { type Spread, spread } from './spread.ts'
import { runMain } from './start-figures.ts'

const SIZE_BUDGET_KB = 150
const PREVIEW_BUDGET_MS = 200
const COLORS = 60
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
    await previews(rounds),
  ]
}

/**
 * The time from entering a color in the brand editor until the preview frame is painted with it, against painting it
 * directly.
 */
async function previews(rounds: number): Promise<Figure> {
  await using site = await aSite('embedded', 1)
  await using running = await runMain(site.environment)
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: BROWSER_SWITCHES,
  })
  try {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.goto(`${running.url}/console/organizations/${CODE}`)
    await page.getByLabel('Email', { exact: true }).fill(PEOPLE.admin.email)
    await page.getByLabel('Password', { exact: true }).fill(PEOPLE.admin.password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    const code = authenticatorCode(PEOPLE.admin.secret, Date.now())
    await page.getByLabel('Verification code').fill(code)
    const element = page.locator('iframe[sandbox]')
    await element.contentFrame().getByRole('button', { name: 'Log in', exact: true }).waitFor()
    const frame = await (await element.elementHandle())?.contentFrame()
    if (frame == null) throw new Error('The preview has no frame')
    const color = page.getByRole('textbox', { name: 'Brand color', exact: true })
    /** The time until a button is first painted in a different color. */
    const painted = () =>
      frame.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const button = document.querySelector('button[type=submit]') ?? document.body
            const before = getComputedStyle(button).backgroundColor
            const look = () => {
              const now = document.querySelector('button[type=submit]')
              if (now && getComputedStyle(now).backgroundColor !== before) {
                requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()))
              } else requestAnimationFrame(look)
            }
            look()
          }),
      )
    const [entered, direct]: [Spread[], Spread[]] = [[], []]
    // The first round only warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const times: { entered: number[]; direct: number[] } = { entered: [], direct: [] }
      for (let index = 0; index < COLORS; index += 1) {
        const hex = `#${((0x101010 * ((index % 4) + 1)) | (index * 2 + round)).toString(16).padStart(6, '0')}`
        const shown = painted()
        await wait(50)
        const at = await color.evaluate((input, value) => {
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
            input,
            value,
          )
          const now = performance.timeOrigin + performance.now()
          input.dispatchEvent(new Event('input', { bubbles: true }))
          return now
        }, hex)
        times.entered.push((await shown) - at)
        times.direct.push(
          await frame.evaluate(
            (value) =>
              new Promise<number>((resolve) => {
                const begin = performance.now()
                document.body.style.outlineColor = value
                requestAnimationFrame(() =>
                  requestAnimationFrame(() => resolve(performance.now() - begin)),
                )
              }),
            hex,
          ),
        )
      }
      if (round === 0) continue
      entered.push(spread(times.entered))
      direct.push(spread(times.direct))
    }
    return latencyFigure({
      figure: 'From an entered color to the painted preview, p50 / p95 / p99; painted directly',
      on: 'console',
      ours: entered,
      baseline: direct,
      budget: {
        text: `p95 under ${PREVIEW_BUDGET_MS} ms`,
        isMet: ({ p95 }) => p95 < PREVIEW_BUDGET_MS,
      },
    })
  } finally {
    await browser.close()
  }
}

/**
 * The time from the response to a publication until both nodes' login pages show the new name, against the publication
 * itself.
 */
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
