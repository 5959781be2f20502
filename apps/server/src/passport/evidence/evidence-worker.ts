import { parentPort, workerData } from 'node:worker_threads'
import { checkEvidence } from './check-evidence.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
parentPort?.postMessage(checkEvidence(Buffer.from(workerData as ArrayBuffer)))
