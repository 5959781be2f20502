import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { child } from './child.ts'
import { type Figure, figure, short } from './figure.ts'
import { median } from './pairs.ts'

const SETTLING_TURNS = 100
const TURNS = 200

interface Times {
  readonly ours: number[]
  readonly baseline: number[]
}

/** The processor time of a route without work, with and without tracing. */
export async function tracingFigures(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-bench-'))
  await using collector = await aCollector()
  await using servers = child('tracing-process.ts', {
    environment: {
      DATA_DIR: folder,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    },
  })
  await servers.receive()

  const figures: Figure[] = []
  for (const continues of [false, true]) {
    await servers.ask<Times>({ turns: SETTLING_TURNS, continues })
    const times: Times = { ours: [], baseline: [] }
    for (let round = 0; round < rounds; round += 1) {
      const { ours, baseline } = await servers.ask<Times>({ turns: TURNS, continues })
      times.ours.push(median(ours))
      times.baseline.push(median(baseline))
    }
    figures.push(
      figure({
        figure: `Processor time of a request without work that ${continues ? 'continues a' : 'begins no'} trace, tracing at 1 %; without tracing`,
        on: 'embedded',
        ...times,
        write: (us) => `${short(us)} µs`,
        budget: { text: 'at most 1.03', isMet: ({ ratio }) => ratio <= 1.03 },
      }),
    )
  }
  rmSync(folder, { recursive: true, force: true })
  if (collector.requests() === 0) throw new Error('The collector received no spans')
  return figures
}

/** A collector that accepts everything. */
async function aCollector() {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    request.resume().once('end', () => response.end('{}'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // A listening TCP server has this type.
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
