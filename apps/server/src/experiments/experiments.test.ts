import { createServer } from 'node:http'
import { EXPERIMENT_KEYS, type ExperimentKey } from '@portico/contracts/experiment-keys'
import { afterEach, expect, test } from 'vitest'
import { listen } from '../../../../tests/support/listen.ts'
import { openLog } from '../operations/log.ts'
import type { ExperimentFile } from './experiment-file.ts'
import type { RunRow } from './experiment-runs.store.ts'
import { openExperiments } from './experiments.ts'

const KEY = 'broker-agent-login'
const TRACKERS = Array.from({ length: 10_000 }, (_, each) => uuidOf(each))

/** The same trackers in every run, so that the results are deterministic. */
function uuidOf(number: number): string {
  const digits = (Math.imul(number + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')
  return `${digits}-1111-4111-8111-${number.toString(16).padStart(12, '0')}`
}

let close = (): void => undefined
afterEach(() => close())

const file = (changes: Partial<ExperimentFile> = {}): ExperimentFile => ({
  key: KEY,
  description: 'For a test.',
  on: true,
  percent: 50,
  ...changes,
})

function open(files: readonly ExperimentFile[], serverUrl?: string) {
  const lines: string[] = []
  const log = openLog('warn', (line) => lines.push(line))
  return { ...openExperiments({ files, serverUrl, log }), lines }
}

/** The trackers for which an experiment is enabled. */
function enabledTrackers(experiment: ExperimentFile, orgCode = 'FIGURE'): readonly string[] {
  const { decide } = open([experiment])
  return TRACKERS.filter((trackerUuid) => decide(experiment.key, { trackerUuid, orgCode }).enabled)
}

test('7.8 every server makes the same decision for a tracker, also after a restart', () => {
  expect(enabledTrackers(file())).toEqual(enabledTrackers(file()))
})

test('7.8 the decisions for these trackers never change: a library with another hash would move all visitors', () => {
  const { decide } = open([file()])
  const variants = TRACKERS.slice(0, 12).map(
    (trackerUuid) => decide(KEY, { trackerUuid, orgCode: 'FIGURE' }).variant,
  )
  expect(variants.map((variant) => (variant === 'enabled' ? 1 : 0)).join('')).toBe('001011110001')
})

test.each([0, 0.5, 10, 50, 99, 100])('7.8 %s %% of 10,000 trackers take part', (percent) => {
  const share = enabledTrackers(file({ percent })).length / TRACKERS.length
  // Four standard deviations of the binomial distribution.
  const bound = 4 * Math.sqrt(((percent / 100) * (1 - percent / 100)) / TRACKERS.length)
  expect(Math.abs(share - percent / 100)).toBeLessThanOrEqual(bound)
})

test('7.8 no participant drops out when the share grows', () => {
  let before: readonly string[] = []
  for (const percent of [0, 1, 7, 29, 50, 50.01, 99.99, 100]) {
    const after = new Set(enabledTrackers(file({ percent })))
    expect(before.filter((tracker) => !after.has(tracker))).toEqual([])
    before = [...after]
  }
  expect(before).toHaveLength(TRACKERS.length)
})

test('7.8 experiments are independent of each other', () => {
  const inOne = new Set(enabledTrackers(file()))
  const inOther = enabledTrackers(file({ key: 'broker-customer-login' }))
  const inBoth = inOther.filter((tracker) => inOne.has(tracker)).length
  expect(inBoth / TRACKERS.length).toBeGreaterThan(0.23)
  expect(inBoth / TRACKERS.length).toBeLessThan(0.27)
})

test('7.8 without variants the other visitors are the control group, with a variant name of its own', () => {
  const { decide } = open([file()])
  const seen = TRACKERS.map((trackerUuid) => decide(KEY, { trackerUuid, orgCode: 'FIGURE' }))
  expect(new Set(seen.map((each) => `${each.variant} ${each.enabled}`))).toEqual(
    new Set(['enabled true', 'control false']),
  )
})

test('7.8 variants divide participants by weight, and keep them while the share grows', () => {
  const variants = [
    { name: 'as-is', enabled: false, weight: 50 },
    { name: 'short', enabled: true, weight: 25 },
    { name: 'shorter', enabled: true, weight: 25 },
  ]
  const decisionsAt = (percent: number) => {
    const { decide } = open([file({ percent, variants })])
    return TRACKERS.map((trackerUuid) => decide(KEY, { trackerUuid, orgCode: 'FIGURE' }))
  }
  const few = decisionsAt(40)
  const all = decisionsAt(100)
  const share = (variant: string | undefined, of = few) =>
    of.filter((each) => each.variant === variant).length / TRACKERS.length
  expect(share('as-is')).toBeCloseTo(0.2, 1)
  expect(share('short')).toBeCloseTo(0.1, 1)
  expect(share('shorter')).toBeCloseTo(0.1, 1)
  expect(share(undefined)).toBeCloseTo(0.6, 1)
  expect(share(undefined, all)).toBe(0)
  for (const [each, { variant, enabled: yes }] of few.entries()) {
    if (variant !== undefined) expect(all[each]).toEqual({ variant, enabled: yes })
    else expect(yes).toBe(false)
  }
})

test('7.8 targeting: only the listed organizations take part, except excluded ones', () => {
  const only = file({ percent: 100, onlyOrganizations: ['FIGURE', 'CEDAR_POINT'] })
  const except = file({ percent: 100, exceptOrganizations: ['CEDAR_POINT'] })
  const both = { ...only, exceptOrganizations: ['CEDAR_POINT'] }
  for (const [experiment, orgCode, isIn] of [
    [only, 'FIGURE', true],
    [only, 'CEDAR_POINT', true],
    [only, 'FIGURE_WHOLESALE', false],
    [except, 'FIGURE', true],
    [except, 'CEDAR_POINT', false],
    [both, 'FIGURE', true],
    [both, 'CEDAR_POINT', false],
    [file({ percent: 100, onlyOrganizations: [] }), 'FIGURE', false],
  ] as const) {
    const decision = open([experiment]).decide(KEY, { trackerUuid: uuidOf(1), orgCode })
    expect(decision).toEqual({ enabled: isIn, variant: isIn ? 'enabled' : undefined })
  }
})

test('7.8 an experiment that is off, without a file or unknown is decided the same way', () => {
  const { decide } = open([file({ on: false, percent: 100 })])
  const subject = { trackerUuid: uuidOf(1), orgCode: 'FIGURE' }
  for (const key of [KEY, 'broker-customer-login', 'nonsense', '__proto__', 'constructor', '']) {
    expect(decide(key, subject), key).toEqual({ enabled: false, variant: undefined })
  }
})

test('7.8 a page gets every decision; untracked visitors take part in none', () => {
  const { decideAll } = open(EXPERIMENT_KEYS.map((key) => file({ key, percent: 100 })))
  const all = (decision: boolean) =>
    Object.fromEntries(EXPERIMENT_KEYS.map((key) => [key, decision])) as Record<
      ExperimentKey,
      boolean
    >
  expect(decideAll({ trackerUuid: uuidOf(1), orgCode: 'FIGURE' })).toEqual(all(true))
  expect(decideAll(undefined)).toEqual(all(false))
})

/** A rules server with a configurable response. */
async function ruleServer() {
  let answer: { status: number; body: string } | 'never' = { status: 200, body: '{}' }
  const server = createServer((_request, response) => {
    if (answer === 'never') return
    response.writeHead(answer.status, { location: '/elsewhere' }).end(answer.body)
  })
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/api/features/sdk-1`,
    respondWith: (body: unknown, status = 200) => {
      answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) }
    },
    stopResponding: () => {
      answer = 'never'
    },
  }
}

const subject = { trackerUuid: uuidOf(1), orgCode: 'FIGURE' }
const feature = (defaultValue: boolean) => ({ features: { [KEY]: { defaultValue } } })

test('7.8 the newest run that covers a visitor decides, and runs of other organizations change nothing', async () => {
  const log = openLog('warn', () => undefined)
  const row = (
    number: number,
    split: object,
    afterwards: 'file' | 'everyone' | 'no-one' | null,
  ): RunRow => ({
    id: uuidOf(number),
    experimentKey: KEY,
    split: JSON.stringify({ percent: 100, outcome: 'registration', ...split }),
    startsAt: 0,
    stopsAt: null,
    createdAt: number,
    createdBy: uuidOf(1_000_000),
    reason: 'For a test.',
    endedAt: afterwards === null ? null : 1,
    endedBy: null,
    endReason: null,
    afterwards,
  })
  let rows: RunRow[] = []
  const runs = { list: async () => rows.toReversed() }
  const files = [file({ percent: 0 })]
  const experiments = openExperiments({ files, serverUrl: undefined, runs, clock: () => 5, log })
  const decide = async (...of: RunRow[]) => {
    rows = of
    await experiments.refreshRuns()
    return ['FIGURE', 'HARBORLINE', 'CEDAR_POINT'].map(
      (orgCode) => experiments.decide(KEY, { trackerUuid: uuidOf(0), orgCode }).enabled,
    )
  }
  const figure = { organizations: ['FIGURE'] }
  const harborline = { organizations: ['HARBORLINE'] }
  const outcome = row(1, figure, 'everyone')
  expect(await decide(outcome)).toEqual([true, false, false])
  expect(await decide(outcome, row(2, harborline, null))).toEqual([true, true, false])
  expect(await decide(outcome, row(2, harborline, 'file'))).toEqual([true, false, false])
  expect(await decide(outcome, row(2, figure, 'file'))).toEqual([false, false, false])
  const forAll = row(1, {}, 'everyone')
  expect(await decide(forAll, row(2, harborline, 'file'))).toEqual([true, false, true])
  expect(await decide(forAll, row(2, harborline, 'no-one'))).toEqual([true, false, true])
  expect(await decide(outcome, row(2, {}, 'file'))).toEqual([false, false, false])
  expect(await decide(outcome, row(2, {}, 'no-one'), row(3, harborline, null))).toEqual([
    false,
    true,
    false,
  ])
})

test('7.8 a server’s rules take precedence over files for the experiments it defines', async () => {
  const rules = await ruleServer()
  const { decide, refresh } = open(
    [file({ percent: 100 }), file({ key: 'broker-customer-login', percent: 100 })],
    rules.url,
  )
  expect(decide(KEY, subject).enabled).toBe(true)
  rules.respondWith({ status: 200, ...feature(false), dateUpdated: '2026-11-01T00:00:00Z' })
  await refresh()
  expect(decide(KEY, subject).enabled).toBe(false)
  expect(decide('broker-customer-login', subject).enabled).toBe(true)
})

test('7.8 an experiment defined by a server is decided and counted with its variant names', async () => {
  const rules = await ruleServer()
  const { decide, refresh } = open([], rules.url)
  rules.respondWith({
    features: {
      [KEY]: {
        defaultValue: false,
        rules: [
          {
            condition: { organization: { $inGroup: 'brokers' } },
            variations: [false, true],
            weights: [0, 1],
            meta: [{ key: '0' }, { key: '1' }],
          },
        ],
      },
      'another-project': { defaultValue: true },
    },
    savedGroups: { brokers: ['FIGURE'] },
  })
  await refresh()
  expect(decide(KEY, subject)).toEqual({ enabled: true, variant: '1' })
  expect(decide(KEY, { ...subject, orgCode: 'CEDAR_POINT' }).variant).toBeUndefined()
  expect(decide('another-project', subject).enabled).toBe(false)
})

test.each([
  ['an error', 'oops', 500],
  ['a redirect', '', 302],
  ['invalid JSON', '<html>', 200],
  ['no rules', { status: 200 }, 200],
  ['invalid rules', { features: { [KEY]: { rules: 'all' } } }, 200],
  ['an invalid rule', { features: { [KEY]: { rules: [1] } } }, 200],
  ['too many bytes', JSON.stringify({ features: { a: { x: 'x'.repeat(1_000_000) } } }), 200],
])('7.8 a server that responds with %s keeps the previous rules', async (_, body, status) => {
  const rules = await ruleServer()
  const { decide, refresh, lines } = open([file({ percent: 0 })], rules.url)
  rules.respondWith(feature(true))
  await refresh()
  rules.respondWith(body, status)
  await refresh()
  expect(decide(KEY, subject).enabled).toBe(true)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('the current rules stay')
})

test.each([
  ['rules', { status: 200, features: {}, encryptedFeatures: 'abc.def' }],
  ['rules alone', { encryptedFeatures: 'abc.def' }],
  ['saved groups', { ...feature(false), encryptedSavedGroups: 'abc.def' }],
])(
  '7.8 encrypted %s without their key are an error in the log, once, and for the console',
  async (_, body) => {
    const rules = await ruleServer()
    const { decide, refresh, server, lines } = open([file({ percent: 100 })], rules.url)
    expect(server()).toBeUndefined()
    rules.respondWith(body)
    await refresh()
    expect(decide(KEY, subject).enabled).toBe(true)
    expect(server()).toEqual({ state: 'encrypted' })
    expect(lines[0]).toMatch(/"level":"error".*Turn off encryption of the SDK connection/)
    expect(lines[1]).toMatch(/"level":"warn".*the current rules stay/)
    await refresh()
    expect(lines.filter((line) => line.includes('"level":"error"'))).toHaveLength(1)
    rules.respondWith('<html>')
    await refresh()
    expect(server()).toEqual({ state: 'unreadable' })
    rules.respondWith(feature(false))
    await refresh()
    expect(server()).toEqual({ state: 'read' })
    expect(decide(KEY, subject).enabled).toBe(false)
  },
)

test('7.8 a value that the server sends as text counts by its words', async () => {
  const rules = await ruleServer()
  const { decide, refresh } = open([], rules.url)
  for (const [defaultValue, isOn] of [
    ['true', true],
    ['false', false],
    ['', false],
    ['off', false],
  ] as const) {
    rules.respondWith({ features: { [KEY]: { defaultValue, rules: [] } } })
    await refresh()
    expect(decide(KEY, subject).enabled, defaultValue).toBe(isOn)
  }
})

test('7.8 what other teams have at the server does not hide our experiment', async () => {
  const rules = await ruleServer()
  const { decide, refresh, lines } = open([file({ percent: 0 })], rules.url)
  const { features } = feature(true)
  for (const body of [
    { features: { ...features, other: { defaultValue: 'x', rules: null } } },
    { features: { ...features, other: { rules: 'all' }, another: 7 } },
    { features, savedGroups: null },
    { features, savedGroups: { mixed: ['a', 1, true, null], broken: 'x' } },
    { features, encryptedFeatures: 'abc.def', encryptedExperiments: 'abc.def' },
  ]) {
    rules.respondWith(feature(false))
    await refresh()
    rules.respondWith(body)
    await refresh()
    expect(decide(KEY, subject).enabled, JSON.stringify(body)).toBe(true)
  }
  expect(lines).toEqual([])
})

test('7.8 a server that never responds delays no decision: the files decide', async () => {
  const rules = await ruleServer()
  rules.stopResponding()
  const { decide, refresh } = open([file({ percent: 100 })], rules.url)
  const refreshed = refresh()
  expect(decide(KEY, subject).enabled).toBe(true)
  close()
  await refreshed
  expect(decide(KEY, subject).enabled).toBe(true)
})

test('7.8 a server’s rule that cannot be evaluated falls back to the file', async () => {
  const rules = await ruleServer()
  const { decide, refresh, lines } = open([file({ percent: 100 })], rules.url)
  for (const broken of [{ filters: 7 }, { parentConditions: 7 }, { condition: { $and: [null] } }]) {
    rules.respondWith({
      features: { [KEY]: { defaultValue: false, rules: [{ ...broken, force: false }] } },
    })
    await refresh()
    expect(decide(KEY, subject).enabled, JSON.stringify(broken)).toBe(true)
    expect(lines.pop()).toContain('could not be evaluated')
  }
})

test('7.8 without a server nothing is fetched', async () => {
  const { refresh, lines } = open([])
  await refresh()
  expect(lines).toEqual([])
})
