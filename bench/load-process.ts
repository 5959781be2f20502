// The load generator, in a separate process from the server. It writes prebuilt requests
// to plain sockets and reads only the needed parts of responses, because a full HTTP client would
// cost as much as the measured server.
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Answer, Load, LoadOutcome } from './load.ts'
import { spread } from './spread.ts'

/** A connection without a response for this long has failed. */
const TIMEOUT_MS = 20_000

type Pending = { readonly index: number; readonly from: number }

process.once('message', (load: Load) => {
  run(load).then(
    (outcome) => process.send?.({ outcome }, () => process.disconnect()),
    (error: unknown) => process.send?.({ error: String(error) }, () => process.disconnect()),
  )
})

async function run(load: Load): Promise<LoadOutcome> {
  const { requests, connections, warmUpMs = 0, forMs, perSecond, keep = false } = load
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => openSocket(load.port)),
  )
  const idle: Lane[] = []
  const waiting: Pending[] = []
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const answers: Answer[] = []
  const begin = performance.now()
  const end = forMs === undefined ? Number.POSITIVE_INFINITY : begin + warmUpMs + forMs
  let next = 0
  let counted = 0
  let inFlight = 0

  const isFinished = () =>
    performance.now() >= end || (forMs === undefined && next >= requests.length)

  return new Promise((resolve, reject) => {
    const lanes = sockets.map((socket) => lane(socket, handleResponse, reject))
    const timer = perSecond === undefined ? undefined : setInterval(tick, 1)
    // Waking a sleeping generator would cost the server's system calls time, which would be counted as the server's.
    const stayAwake = () => void (performance.now() < end && setImmediate(stayAwake))
    if (load.awake && forMs !== undefined) stayAwake()
    for (const each of lanes) {
      if (perSecond === undefined) again(each)
      else idle.push(each)
    }

    function handleResponse(each: Lane, pending: Pending, answer: Answer): void {
      const now = performance.now()
      inFlight -= 1
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      if (keep) answers[pending.index] = answer
      if (now >= begin + warmUpMs && now <= end) {
        counted += 1
        latencies.push(now - pending.from)
      }
      if (perSecond === undefined) again(each)
      else paced(each)
    }

    /** At full speed: each connection sends the next request after each response. */
    function again(each: Lane): void {
      if (isFinished()) return finishWhenQuiet()
      send(each, { index: next, from: performance.now() })
      next += 1
    }

    /** At a given rate: a request is timed from when it was due, even if no connection was free. */
    function tick(): void {
      const now = performance.now()
      const due = Math.floor(((Math.min(now, end) - begin) / 1000) * (perSecond ?? 0))
      while (next < due) {
        const pending = { index: next, from: begin + (next * 1000) / (perSecond ?? 1) }
        next += 1
        const each = idle.pop()
        if (each === undefined) waiting.push(pending)
        else send(each, pending)
      }
      if (now >= end) {
        clearInterval(timer)
        finishWhenQuiet()
      }
    }

    function paced(each: Lane): void {
      const pending = waiting.shift()
      if (pending !== undefined) return send(each, pending)
      idle.push(each)
      if (isFinished()) finishWhenQuiet()
    }

    function send(each: Lane, pending: Pending): void {
      const request = requests[pending.index % requests.length]
      if (request === undefined) throw new Error('A load needs requests')
      inFlight += 1
      each.send(request, pending)
    }

    function finishWhenQuiet(): void {
      if (inFlight > 0 || waiting.length > 0) return
      for (const socket of sockets) socket.destroy()
      const lastMs = performance.now() - begin - warmUpMs
      const seconds = (forMs ?? lastMs) / 1000
      resolve({ counted, sent: next, seconds, statuses, answers, latency: spread(latencies) })
    }
  })
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

type Lane = { readonly send: (request: string, pending: Pending) => void }

/** A connection with one request in flight. */
function lane(
  socket: Socket,
  handleResponse: (lane: Lane, pending: Pending, answer: Answer) => void,
  fail: (error: Error) => void,
): Lane {
  let under: Pending | undefined
  let text = ''
  const self: Lane = {
    send(request, pending) {
      under = pending
      socket.write(request, 'latin1')
    },
  }
  socket.setEncoding('latin1')
  socket.setTimeout(TIMEOUT_MS, () => fail(new Error('No response')))
  socket.on('error', fail)
  socket.on('close', () => {
    if (under !== undefined) fail(new Error('The server closed a connection with a request on it'))
  })
  socket.on('data', (chunk: string) => {
    text += chunk
    const headEnd = text.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const lengthAt = text.indexOf('\r\ncontent-length: ')
    const length =
      lengthAt < 0 || lengthAt > headEnd ? 0 : Number.parseInt(text.slice(lengthAt + 18), 10)
    if (text.length < headEnd + 4 + length) return
    const [pending, whole] = [under, text]
    under = undefined
    text = ''
    if (pending === undefined) return fail(new Error('A response without a request'))
    handleResponse(self, pending, {
      status: whole.slice(9, 12),
      head: whole.slice(0, headEnd),
      body: whole.slice(headEnd + 4),
    })
  })
  return self
}
