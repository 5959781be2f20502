import { performance } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { loadBrands } from '@portico/server/brands'
import { type Figure, figure, latencyFigure, perSecond, short } from './figure.ts'
import { putLoad, wireRequest } from './load.ts'
import { manyOrganizations } from './many-organizations.ts'
import { measureAlternately } from './pairs.ts'
import { aSite } from './sites.ts'
import type { Spread } from './spread.ts'
import { megabytes, memoryOf, runMain } from './start-figures.ts'

const MANY = 10_000
const LOAD_MS = 4000
const LOOKUPS = 2_000_000
const ON = 'organizations'
const LOGIN = '/auth/login'

/** The cost of 10,000 organizations, against the sixty that ship. */
export async function organizationsFigures(rounds: number): Promise<Figure[]> {
  using many = manyOrganizations(MANY)
  await using small = await aSite('embedded', 1)
  await using large = await aSite('embedded', 1)
  const few = small.environment
  const all = { ...large.environment, CONFIG_DIR: many.path }
  return [
    ...(await onTheWire(rounds, few, all)),
    await lookups(rounds, many.path),
    await starts(rounds, few, all),
  ]
}

type Environment = Readonly<Record<string, string>>

async function onTheWire(rounds: number, few: Environment, all: Environment): Promise<Figure[]> {
  await using sixty = await runMain(few)
  await using thousands = await runMain(all)
  const spreads = { ours: [] as Spread[], bare: [] as Spread[] }
  const load = async ({ url }: { url: string }, kept: Spread[]) => {
    const { latency } = await oneAfterAnother(url)
    kept.push(latency)
    return latency.p50
  }
  const memory = { ours: memoryOf(thousands.pid), bare: memoryOf(sixty.pid) }
  await oneAfterAnother(sixty.url)
  await oneAfterAnother(thousands.url)
  await measureAlternately(rounds, {
    bare: () => load(sixty, spreads.bare),
    ours: () => load(thousands, spreads.ours),
  })
  const size = async ({ url }: { url: string }) => {
    const html = await (await fetch(`${url}${LOGIN}`)).text()
    return { plain: html.length / 1000, gzip: gzipSync(html, { level: 9 }).length / 1000 }
  }
  const [ours, baseline] = [await size(thousands), await size(sixty)]
  const kilobytes = (value: number) => `${short(value)} kB`
  const sizes = (name: keyof typeof ours, how: string) =>
    figure({
      figure: `Size of the login page's HTML${how}, 10,000 organizations; with 60`,
      on: ON,
      ours: [ours[name]],
      baseline: [baseline[name]],
      write: kilobytes,
    })
  return [
    latencyFigure({
      figure: 'Time to the login page’s HTML, p50 / p95 / p99, 10,000 organizations; with 60',
      on: ON,
      ours: spreads.ours,
      baseline: spreads.bare,
    }),
    sizes('plain', ''),
    sizes('gzip', ', gzip'),
    figure({
      figure: 'Memory after start with 10,000 organizations and logos; with 60',
      on: ON,
      ours: [memory.ours],
      baseline: [memory.bare],
      write: megabytes,
    }),
  ]
}

function oneAfterAnother(url: string) {
  const port = Number(new URL(url).port)
  const requests = [wireRequest({ path: LOGIN, port, headers: { accept: 'text/html' } })]
  return putLoad({ port, requests, connections: 1, forMs: LOAD_MS })
}

/** Lookups by an unknown host and a remembered code, which use every index, against one map. */
async function lookups(rounds: number, configDir: string): Promise<Figure> {
  const { brands } = await loadBrands(
    { configDir, supportPhone: '8005550142', defaultOrgCode: 'FIGURE' },
    [],
  )
  if (brands === undefined) throw new Error('The organizations were not loaded')
  const { all, resolve } = brands.organizations
  const codes = all.map(({ orgCode }) => orgCode)
  const byCode = new Map(all.map((each) => [each.orgCode, each]))
  const rate = async (find: (code: string) => unknown) => {
    const begin = performance.now()
    let found = 0
    for (let index = 0; index < LOOKUPS; index += 1) {
      if (find(codes[index % codes.length] ?? '') !== undefined) found += 1
    }
    if (found !== LOOKUPS) throw new Error('An organization was not found')
    return (LOOKUPS / (performance.now() - begin)) * 1000
  }
  const { ours, bare } = await measureAlternately(rounds, {
    bare: () => rate((code) => byCode.get(code)),
    ours: () =>
      rate((kept) =>
        resolve({ host: 'localhost', requested: 'NOBODY', remembered: kept, label: null }),
      ),
  })
  return figure({
    figure: 'Organization lookup among 10,000; in a bare map',
    on: ON,
    ours,
    baseline: bare,
    write: perSecond,
  })
}

async function starts(rounds: number, few: Environment, all: Environment): Promise<Figure> {
  const started = async (environment: Environment) => {
    await using running = await runMain(environment)
    return running.startedInMs
  }
  const { ours, bare } = await measureAlternately(rounds, {
    bare: () => started(few),
    ours: () => started(all),
  })
  return figure({
    figure: 'Start to ready with 10,000 organizations and logos; with 60',
    on: ON,
    ours,
    baseline: bare,
    write: (ms) => `${short(ms)} ms`,
  })
}
