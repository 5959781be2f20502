import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT } from '../tools/setup/processes.mjs'
import { type Figure, latencyFigure } from './figure.ts'
import { putLoad } from './load.ts'
import { signIns } from './requests.ts'
import type { Engine } from './seeds.ts'
import { aSite } from './sites.ts'
import { type Spread, spread } from './spread.ts'
import { runMain } from './start-figures.ts'

const SIGN_INS = 200
const BUDGET_MS = 1000

/**
 * The time from a login event, just before its commit, to the receiver, against a post of the same size to the same
 * receiver.
 */
export async function webhookFigures(engine: Engine, rounds: number): Promise<Figure[]> {
  await using site = await aSite(engine, SIGN_INS)
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-bench-'))
  using receiver = await aReceiver()
  using silent = await aReceiver({ isSilent: true })
  try {
    cpSync(path.join(ROOT, 'config'), folder, { recursive: true })
    mkdirSync(path.join(folder, 'webhooks'))
    for (const [id, { url }] of Object.entries({ receiver, silent })) {
      const endpoint = {
        id,
        organization: 'FIGURE',
        url,
        secrets: ['WEBHOOK_SECRET_BENCH'],
        events: ['session.started'],
        contact: 'engineers@lender.example',
      }
      writeFileSync(path.join(folder, 'webhooks', `${id}.json`), JSON.stringify(endpoint))
    }
    await using running = await runMain({
      ...site.environment,
      CONFIG_DIR: folder,
      WEBHOOK_SECRET_BENCH: `whsec_${Buffer.alloc(32).toString('base64')}`,
    })
    const port = Number(new URL(running.url).port)
    const ours: Spread[] = []
    const baseline: Spread[] = []
    for (let round = 0; round < rounds; round += 1) {
      receiver.delays.length = 0
      await putLoad({ port, requests: signIns(port, site, 0, SIGN_INS), connections: 1 })
      await wait(2 * BUDGET_MS)
      if (receiver.delays.length !== SIGN_INS) throw new Error('Not every login was reported')
      ours.push(spread(receiver.delays))
      baseline.push(spread(await posts(receiver.url)))
    }
    const measured = latencyFigure({
      figure:
        'Webhook, from the event to the receiver, p50 / p95 / p99, while another receiver never answers; a bare post',
      on: engine,
      ours,
      baseline,
    })
    const met = ours.every(({ p95 }) => p95 < BUDGET_MS)
    return [{ ...measured, budget: 'p95 under 1 s', met }]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function aReceiver({ isSilent = false } = {}) {
  const delays: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string }
      delays.push(Date.now() - Date.parse(timestamp))
      if (!isSilent) response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // A listening TCP server has this type.
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    delays,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The times of posts on separate connections, as webhooks are sent. */
async function posts(url: string): Promise<number[]> {
  const times: number[] = []
  for (let each = 0; each < SIGN_INS; each += 1) {
    const begin = performance.now()
    const body = JSON.stringify({ timestamp: new Date().toISOString(), text: 'x'.repeat(200) })
    await fetch(url, { method: 'POST', body, headers: { connection: 'close' } })
    times.push(performance.now() - begin)
  }
  return times
}
