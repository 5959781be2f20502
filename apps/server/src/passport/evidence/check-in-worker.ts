/**
 * Checks evidence in worker threads: other requests are served in the meantime, and a file crafted to exhaust time or memory
 * ends only its own check. Each person's files are checked one at a time, taking turns with other people's, so that one
 * person's many or slow files do not hold up everyone else. Small files do not wait for large ones.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import pLimit, { type LimitFunction } from 'p-limit'
import type { EvidenceCheck } from './check-evidence.ts'

/** Each check uses several times its file's size in memory. */
const LARGE_AT_ONCE = 2
const SMALL_AT_ONCE = 1
/** The maximum size of a small file, such as a letter. */
const SMALL_BYTES = 2 * 1024 * 1024
const MAX_CHECK_MS = 10_000
const MAX_MEMORY_MB = 256
/** How long an idle thread waits for another file, because starting one takes as long as a check. */
const MAX_IDLE_MS = 1000

const WORKER = new URL('./evidence-worker.ts', import.meta.url)

interface Evidence {
  readonly id: string
  readonly bytes: number
  readonly personId: string
}

export function evidenceChecks() {
  const large = pLimit(LARGE_AT_ONCE)
  const small = pLimit(SMALL_AT_ONCE)
  const people = new Map<string, LimitFunction>()
  const running = new Map<string, Promise<EvidenceCheck>>()
  const idle: Worker[] = []
  const endIdle = () => {
    for (const worker of idle.splice(0)) void worker.terminate()
  }

  async function checkNow(read: () => Promise<ArrayBuffer>): Promise<EvidenceCheck> {
    const bytes = await read()
    const worker = idle.pop() ?? newWorker()
    const result = await checkIn(worker, bytes)
    if (result === undefined) {
      void worker.terminate()
      return { refusal: 'file-damaged' }
    }
    idle.push(worker)
    setTimeout(endIdle, MAX_IDLE_MS).unref()
    return result
  }

  async function checkInTurn({ personId, bytes }: Evidence, read: () => Promise<ArrayBuffer>) {
    const own = people.get(personId) ?? pLimit(1)
    people.set(personId, own)
    try {
      const turns = bytes > SMALL_BYTES ? large : small
      return await own(() => turns(() => checkNow(read)))
    } finally {
      if (own.activeCount + own.pendingCount === 0) people.delete(personId)
    }
  }

  /** Reads and checks a file when its turn comes. Repeated calls in the meantime get the same result. */
  return (evidence: Evidence, read: () => Promise<ArrayBuffer>): Promise<EvidenceCheck> => {
    const { id } = evidence
    const check = running.get(id) ?? checkInTurn(evidence, read).finally(() => running.delete(id))
    running.set(id, check)
    return check
  }
}

function newWorker(): Worker {
  const worker = new Worker(WORKER, {
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  })
  // Otherwise an error between two checks would end the process.
  worker.on('error', () => undefined)
  worker.unref()
  return worker
}

/** Returns undefined if the check exceeds its time or memory limit. */
async function checkIn(worker: Worker, bytes: ArrayBuffer): Promise<EvidenceCheck | undefined> {
  const signal = AbortSignal.timeout(MAX_CHECK_MS)
  worker.postMessage(bytes, [bytes])
  try {
    const [result] = (await once(worker, 'message', { signal })) as [EvidenceCheck]
    return result
  } catch {
    return undefined
  }
}
