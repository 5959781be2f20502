import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXPERIMENT_KEYS } from '@portico/contracts/experiment-keys'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadExperiments } from './load-experiments.ts'

const SHIPPED = fileURLToPath(new URL('../../../../config', import.meta.url))
const ORG_CODES = new Set(
  globSync(join(SHIPPED, 'organizations/*.json')).map(
    (file): string => JSON.parse(readFileSync(file, 'utf8')).orgCode,
  ),
)

const load = (configDir: string) => {
  const errors: string[] = []
  const experiments = loadExperiments(configDir, ORG_CODES, errors)
  expect(errors).toEqual([])
  return experiments
}
const GOOD = {
  key: 'broker-agent-login',
  description: 'For a test.',
  on: true,
  percent: 50,
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-experiments-'))
  mkdirSync(join(folder, 'experiments'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => join(folder, 'experiments', name)

function writeExperiment(name: string, content: unknown): void {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content))
}

function errors(): readonly string[] {
  const errors: string[] = []
  loadExperiments(folder, ORG_CODES, errors)
  return errors
}

test('7.8 the experiments that ship are valid, and are the three of the specification', () => {
  const keys = load(SHIPPED).map(({ key }) => key)
  expect(keys.sort()).toEqual([...EXPERIMENT_KEYS].sort())
})

test('7.8 a folder without experiments has none', () => {
  expect(load(folder)).toEqual([])
  rmSync(join(folder, 'experiments'), { recursive: true })
  expect(load(folder)).toEqual([])
})

test.each([
  ['key', { key: 'broker-agents' }],
  ['description', { description: '' }],
  ['description', { description: 'back\u202Ewards' }],
  ['on', { on: 'yes' }],
  ['percent', { percent: 101 }],
  ['percent', { percent: -1 }],
  ['percent', { percent: 0.001 }],
  ['percent', { percent: '50' }],
  ['percent', { percent: undefined }],
  ['variants', { variants: [{ name: 'one', enabled: true, weight: 100 }] }],
  ['variants', { variants: [variant('a', 50), variant('b', 49)] }],
  ['variants', { variants: [variant('a', 50), variant('a', 50)] }],
  ['variants', { variants: Array.from({ length: 20 }, (_, each) => variant(`v${each}`, 5)) }],
  ['variants.0.name', { variants: [variant('<b>', 50), variant('b', 50)] }],
  ['onlyOrganizations', { onlyOrganizations: ['FIGURE', 'NOBODY'] }],
  ['exceptOrganizations', { exceptOrganizations: ['NOBODY'] }],
  ['onlyOrganizations.0', { onlyOrganizations: ['figure'] }],
  ['precent', { precent: 5 }],
])('7.8 an error names the file and the field: %s in %j', (field, changes) => {
  writeExperiment('good.json', { ...GOOD, key: 'broker-customer-login' })
  writeExperiment('wrong.json', { ...GOOD, ...changes })
  const found = errors()
  expect(found).toHaveLength(1)
  expect(found[0]?.startsWith(`${at('wrong.json')}: `)).toBe(true)
  expect(found[0]).toContain(field)
})

test('7.8 duplicate keys and invalid JSON are reported together', () => {
  writeExperiment('first.json', GOOD)
  writeExperiment('second.json', GOOD)
  writeExperiment('third.json', '{')
  expect(errors()).toEqual([
    expect.stringMatching(/third\.json is not JSON/),
    `${at('second.json')}: key broker-agent-login is already used by ${at('first.json')}`,
  ])
})

test('7.8 valid variants and organizations are accepted', () => {
  const content = {
    ...GOOD,
    percent: 12.34,
    variants: [variant('as-is', 33.33), variant('short', 33.33), variant('shorter', 33.34)],
    onlyOrganizations: [...ORG_CODES],
    exceptOrganizations: [],
  }
  writeExperiment('good.json', content)
  expect(load(folder)).toEqual([content])
})

function variant(name: string, weight: number) {
  return { name, enabled: true, weight }
}
