import { parentPort } from 'node:worker_threads'
import { checkEvidence } from './check-evidence.ts'

parentPort?.on('message', (bytes: ArrayBuffer) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
  parentPort?.postMessage(checkEvidence(Buffer.from(bytes)))
})
