import { secp256k1 } from '@noble/curves/secp256k1.js'
import { publicKeyOf, sign, verify } from '@portico/keys/signature'

/** The key, the message and the signature that everything is measured with. */
export const PRIVATE_KEY = new Uint8Array(32).fill(7)
export const PUBLIC_KEY = publicKeyOf(PRIVATE_KEY)
export const MESSAGE = new TextEncoder().encode('a nonce that proves a wallet'.padEnd(300, '.'))
export const SIGNATURE = sign(PRIVATE_KEY, MESSAGE)

/** What runs in Node and in a page alike; what verifies throws where the verdict is wrong. */
export const KEY_TASKS = {
  verifyOurs: () => accepted(verify(PUBLIC_KEY, MESSAGE, SIGNATURE)),
  verifyNoble: () => accepted(secp256k1.verify(SIGNATURE, MESSAGE, PUBLIC_KEY)),
  signOurs: () => sign(PRIVATE_KEY, MESSAGE),
  signNoble: () => secp256k1.sign(MESSAGE, PRIVATE_KEY),
} as const

/** Stops a measurement of something that does not do its work. */
export function accepted(verdict: boolean): void {
  if (!verdict) throw new Error('A right signature was refused')
}

/** How often a second something can be done, one after the other; the engine has warmed to it before. */
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
