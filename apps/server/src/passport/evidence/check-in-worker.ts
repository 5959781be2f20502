/**
 * Checks evidence in a thread of its own, one file at a time: other requests are served meanwhile, and a file made to
 * exhaust time or memory ends only its own check.
 */
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import type { EvidenceCheck } from './check-evidence.ts'

const CHECK_MAXIMUM_MS = 10_000
const MEMORY_MAXIMUM_MB = 256

const WORKER = new URL('./evidence-worker.ts', import.meta.url)

/** Reads a file when its turn has come, and checks it. */
export function evidenceChecks(): (read: () => Promise<ArrayBuffer>) => Promise<EvidenceCheck> {
  const oneAtATime = pLimit(1)
  return (read) => oneAtATime(async () => checkInWorker(await read()))
}

function checkInWorker(bytes: ArrayBuffer): Promise<EvidenceCheck> {
  return new Promise((resolve) => {
    const worker = new Worker(WORKER, {
      workerData: bytes,
      transferList: [bytes],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAXIMUM_MB },
    })
    const timeout = setTimeout(() => void worker.terminate(), CHECK_MAXIMUM_MS)
    const end = (result: EvidenceCheck) => {
      clearTimeout(timeout)
      resolve(result)
    }
    worker.once('message', end)
    // After a result, these change nothing.
    worker.once('error', () => end({ refusal: 'file-damaged' }))
    worker.once('exit', () => end({ refusal: 'file-damaged' }))
  })
}
