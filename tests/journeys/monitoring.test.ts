/** The alert rules and the dashboard that ship with the product. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { parse } from 'yaml'
import { ROOT } from '../../tools/setup/processes.mjs'
import { aWorld, newPerson } from '../support/world.ts'

const BRIDGE = '/service-wallet-connect-bridge/ws/external'
/** Added by Prometheus itself. */
const ADDED_LABELS = ['instance', 'job']
const ADDED_METRICS = new Map([['up', new Set<string>()]])

interface AlertRules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string
      readonly expr: string
      readonly for: string
      readonly labels: Readonly<Record<string, string>>
      readonly annotations: { readonly summary: string; readonly runbook_url: string }
    }[]
  }[]
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly type: string
    readonly targets?: readonly { readonly expr: string }[]
  }[]
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const rules = (parse(read('deploy/prometheus/alerts.yaml')) as AlertRules).groups.flatMap(
  (group) => group.rules,
)
const panels = (JSON.parse(read('deploy/grafana/portico.json')) as Dashboard).panels.filter(
  ({ type }) => type !== 'row',
)

const GROUPING = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g
const SELECTOR = /([a-zA-Z_]\w*)\s*(?:\{([^}]*)\})?(\s*\()?/g
const OPERATORS = ['and', 'or', 'unless']

/** The metrics of an expression with the labels that it selects, and the labels by which it groups. */
function selectorsIn(expression: string) {
  const text = expression.replace(/"[^"]*"/g, '').replace(/\[[^\]]*\]/g, '')
  const grouping = [...text.matchAll(GROUPING)].flatMap(([, labels = '']) => labelsIn(labels))
  const metrics = [...text.replace(GROUPING, '').matchAll(SELECTOR)].flatMap(
    ([, name = '', labels = '', call]) =>
      call !== undefined || OPERATORS.includes(name)
        ? []
        : [{ name: name.replace(/_bucket$/, ''), labels: labelsIn(labels) }],
  )
  return { metrics, grouping }
}

const labelsIn = (text: string) => [...text.matchAll(/[a-zA-Z_]\w*/g)].map(([label]) => label)

/** The names of metrics with the labels of their series. */
function exposed(text: string): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>(ADDED_METRICS)
  for (const [, name = ''] of text.matchAll(/^# TYPE (\S+)/gm)) labels.set(name, new Set())
  for (const [, series = '', pairs = ''] of text.matchAll(/^(\w+)\{(.*)\} /gm)) {
    const name = labels.has(series) ? series : series.replace(/_(?:bucket|sum|count)$/, '')
    for (const [, label = ''] of pairs.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) {
      labels.get(name)?.add(label)
    }
  }
  return labels
}

/** What a server exposes after traffic of which each kind is counted. */
async function metricsAfterTraffic(): Promise<Map<string, Set<string>>> {
  const customer = newPerson('monitored')
  await using world = await aWorld()
    .withCustomer(customer)
    // Nothing is listening there.
    .withSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  await world.browser().signIn(customer)
  const login = () =>
    fetch(`${world.url}/identity/api/v2/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  for (let each = 0; each < 400; each += 1) if ((await login()).status === 429) break
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}${BRIDGE}`)
  await new Promise((resolve) => socket.once('open', resolve))
  // The relay drops binary frames. It answers the ping after it has handled the frame.
  socket.send(Buffer.from([1]))
  socket.ping()
  await new Promise((resolve) => socket.once('pong', resolve))
  socket.terminate()
  return exposed(await (await fetch(`${world.url}/metrics`)).text())
}

test('14 every metric and label of the alerts and the dashboard is one that a server exposes', async () => {
  const known = await metricsAfterTraffic()
  const expressions = [
    ...rules.map(({ alert, expr }) => ({ of: alert, expr })),
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ of: title, expr })),
    ),
  ]
  expect(expressions.length).toBeGreaterThan(40)
  for (const { of, expr } of expressions) {
    const { metrics, grouping } = selectorsIn(expr)
    expect(metrics, of).not.toEqual([])
    const labels = new Set(ADDED_LABELS)
    for (const metric of metrics) {
      const own = known.get(metric.name)
      expect(own, `${of}: ${metric.name}`).toBeDefined()
      for (const label of own ?? []) labels.add(label)
      for (const label of metric.labels) {
        expect([...ADDED_LABELS, ...(own ?? [])], `${of}: ${metric.name}`).toContain(label)
      }
    }
    for (const label of grouping) expect([...labels], of).toContain(label)
  }
})

test('14 each alert leads to its incident page', () => {
  const page = read('docs/operations.md')
  for (const { alert, labels, annotations, for: duration } of rules) {
    const [file = '', anchor = ''] = annotations.runbook_url.split('#')
    expect(existsSync(join(ROOT, file)), alert).toBe(true)
    expect(page, alert).toContain(`<a id="${anchor}"></a>\n### ${alert}\n`)
    expect(labels['severity'], alert).toMatch(/^(?:page|ticket)$/)
    expect(duration, alert).toMatch(/^\d+[mh]$/)
  }
  const described = [...page.matchAll(/^### (Portico\w+)$/gm)].map(([, alert]) => alert)
  expect(described).toEqual(rules.map(({ alert }) => alert))
})
