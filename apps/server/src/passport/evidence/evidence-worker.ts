import { parentPort, workerData } from 'node:worker_threads'
import { checkEvidence } from './check-evidence.ts'

parentPort?.postMessage(checkEvidence(Buffer.from(workerData as ArrayBuffer)))
