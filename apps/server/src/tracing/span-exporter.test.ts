import { createServer, type RequestListener } from 'node:http'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { listen } from '../../../../tests/support/listen.ts'
import { openSpanExporter } from './span-exporter.ts'
import { newSpanId, newTraceId, SPAN_KINDS, type Span } from './tracing.ts'

const aSpan = (): Span => ({
  traceId: newTraceId(),
  spanId: newSpanId(),
  parentId: undefined,
  name: 'GET /x',
  kind: SPAN_KINDS.server,
  startedAt: 1_700_000_000_000.25,
  endedAt: 1_700_000_000_001,
  attributes: { 'http.route': '/x', 'http.response.status_code': 200 },
  failed: false,
})

async function aCollector(handle: RequestListener) {
  const server = createServer(handle)
  const port = await listen(server)
  const registry = new Registry()
  const exporter = openSpanExporter({
    url: `http://127.0.0.1:${port}/v1/traces`,
    headers: { authorization: 'Bearer x' },
    version: '1.2.3',
    registry,
    log: pino({ level: 'silent' }),
  })
  return {
    ...exporter,
    async counted() {
      const metric = await registry.getSingleMetric('portico_trace_spans_total')?.get()
      return Object.fromEntries(
        metric?.values.map((each) => [each.labels['outcome'], each.value]) ?? [],
      )
    },
    async [Symbol.asyncDispose]() {
      await exporter.stop()
      server.closeAllConnections()
      server.close()
    },
  }
}

test('14 spans are sent as OTLP, JSON over HTTP', async () => {
  const received: unknown[] = []
  await using collector = await aCollector((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.once('end', () => {
      received.push([request.headers.authorization, JSON.parse(body)])
      response.end('{}')
    })
  })
  const span = aSpan()
  collector.record(span)
  await collector.stop()
  expect(received).toEqual([
    [
      'Bearer x',
      {
        resourceSpans: [
          {
            resource: {
              attributes: expect.arrayContaining([
                { key: 'service.name', value: { stringValue: 'portico' } },
                { key: 'service.version', value: { stringValue: '1.2.3' } },
              ]),
            },
            scopeSpans: [
              {
                scope: { name: 'portico', version: '1.2.3' },
                spans: [
                  {
                    traceId: span.traceId,
                    spanId: span.spanId,
                    name: 'GET /x',
                    kind: 2,
                    startTimeUnixNano: '1700000000000250000',
                    endTimeUnixNano: '1700000000001000000',
                    attributes: [
                      { key: 'http.route', value: { stringValue: '/x' } },
                      { key: 'http.response.status_code', value: { intValue: 200 } },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  ])
  expect(await collector.counted()).toEqual({ sent: 1, dropped: 0 })
})

test('14 a collector that never responds costs bounded memory, and at most a second at shutdown', async () => {
  await using collector = await aCollector(() => undefined)
  for (let each = 0; each < 5000; each += 1) collector.record(aSpan())
  expect(await collector.counted()).toEqual({ sent: 0, dropped: 5000 - 2048 })
  const stoppedAt = performance.now()
  await collector.stop()
  expect(performance.now() - stoppedAt).toBeLessThan(3000)
})

test.each<[string, RequestListener]>([
  ['refuses', (_request, response) => response.writeHead(503).end()],
  ['redirects', (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end()],
  ['breaks off', (request) => request.destroy()],
])('14 spans are dropped and counted if the collector %s', async (_case, handle) => {
  await using collector = await aCollector(handle)
  collector.record(aSpan())
  await collector.stop()
  expect(await collector.counted()).toEqual({ sent: 0, dropped: 1 })
})

test('14 an endless response is not read', async () => {
  let written = 0
  await using collector = await aCollector((_request, response) => {
    const write = () => {
      written += 1
      if (response.write('x'.repeat(65_536))) setImmediate(write)
      else response.once('drain', write)
    }
    write()
  })
  collector.record(aSpan())
  await collector.stop()
  expect(await collector.counted()).toEqual({ sent: 1, dropped: 0 })
  expect(written).toBeLessThan(1000)
})
