import { createServer } from 'node:http'
import { expect, test, vi } from 'vitest'
import { applicationServer, type Received } from '../support/application-server.ts'
import { listen } from '../support/listen.ts'
import { aWorld, newPerson } from '../support/world.ts'

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
}

async function aCollector() {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.once('end', () => {
      bodies.push(body)
      response.end('{}')
    })
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    text: () => bodies.join('\n'),
    spans: () =>
      bodies.flatMap((body) => {
        const sent = JSON.parse(body) as {
          resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[]
        }
        return sent.resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        )
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT_ID = '00f067aa0ba902b7'

test('14 a login with a sampled traceparent is a trace of its steps, without anything personal, and its log lines name it', async () => {
  await using collector = await aCollector()
  const customer = newPerson('traced')
  const world = await aWorld()
    .withCustomer(customer)
    .withLog('info')
    .withSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0' })
  const traceparent = `00-${TRACE_ID}-${PARENT_ID}-01`
  const response = await fetch(`${world.url}/identity/api/v2/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent },
    body: JSON.stringify({ email: customer.email, password: customer.password }),
  })
  expect(response.status).toBe(200)
  // Another client's request is not sampled.
  await fetch(`${world.url}/auth/login?email=${customer.email}`)
  await vi.waitFor(() => expect(collector.spans().length).toBeGreaterThan(0), 10_000)

  const spans = collector.spans()
  const request = spans.find(({ name }) => name === 'POST /identity/api/v2/login')
  expect(request).toMatchObject({
    traceId: TRACE_ID,
    parentSpanId: PARENT_ID,
    attributes: [
      { key: 'http.request.method', value: { stringValue: 'POST' } },
      { key: 'http.route', value: { stringValue: '/identity/api/v2/login' } },
      { key: 'http.response.status_code', value: { intValue: 200 } },
    ],
  })
  const steps = spans.filter((span) => span !== request)
  expect(new Set(steps.map(({ name }) => name))).toEqual(
    new Set(['password hash', 'database transaction']),
  )
  for (const { traceId, parentSpanId } of steps) {
    expect([traceId, parentSpanId]).toEqual([TRACE_ID, request?.spanId])
  }
  expect(collector.text()).not.toContain(customer.email)
  const lines = world.log.map((line) => JSON.parse(line) as { traceId?: string; route?: string })
  expect(lines.filter(({ traceId }) => traceId === TRACE_ID)).toEqual([
    expect.objectContaining({ route: '/identity/api/v2/login' }),
  ])
  await world[Symbol.asyncDispose]()
})

test('14 a recorded trace continues in the lender’s application behind Portico', async () => {
  await using collector = await aCollector()
  await using application = await applicationServer()
  const world = await aWorld().withSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '0',
    LENDER_APP_URL: application.url,
    LENDER_APP_MODE: 'proxy',
  })
  const received = async (flags: string) => {
    const headers = { traceparent: `00-${TRACE_ID}-${PARENT_ID}-${flags}` }
    return (await (await fetch(`${world.url}/account`, { headers })).json()) as Received
  }
  const { traceparent } = (await received('01')).headers
  await vi.waitFor(() => expect(collector.spans().length).toBeGreaterThan(1), 10_000)
  const call = collector.spans().find(({ name }) => name === 'outgoing call')
  expect(traceparent).toBe(`00-${TRACE_ID}-${call?.spanId}-01`)
  // A trace that is not recorded passes as it is.
  expect((await received('00')).headers['traceparent']).toBe(`00-${TRACE_ID}-${PARENT_ID}-00`)
  await world[Symbol.asyncDispose]()
})
