import { secp256k1 } from '@noble/curves/secp256k1.js'
import { publicKeyOf, sign, verify } from '@portico/keys/signature'

/** The key, message and signature for all measurements. */
export const PRIVATE_KEY = new Uint8Array(32).fill(7)
export const PUBLIC_KEY = publicKeyOf(PRIVATE_KEY)
export const MESSAGE = new TextEncoder().encode('a nonce that proves a wallet'.padEnd(300, '.'))
export const SIGNATURE = sign(PRIVATE_KEY, MESSAGE)

/** Tasks for Node and pages; verification throws on a wrong result. */
export const KEY_TASKS = {
  verifyOurs: () => accepted(verify(PUBLIC_KEY, MESSAGE, SIGNATURE)),
  verifyNoble: () => accepted(secp256k1.verify(SIGNATURE, MESSAGE, PUBLIC_KEY)),
  signOurs: () => sign(PRIVATE_KEY, MESSAGE),
  signNoble: () => secp256k1.sign(MESSAGE, PRIVATE_KEY),
} as const

/** Fails the measurement of a task with a wrong result. */
export function accepted(verdict: boolean): void {
  if (!verdict) throw new Error('A valid signature was refused')
}

/** Sequential executions per second, after a warm-up. */
export function rateOf(task: () => unknown, forMs: number): number {
  repeated(task, forMs / 4)
  return repeated(task, forMs)
}

function repeated(task: () => unknown, forMs: number): number {
  const begin = performance.now()
  let done = 0
  while (performance.now() < begin + forMs) {
    task()
    done += 1
  }
  return done / ((performance.now() - begin) / 1000)
}
