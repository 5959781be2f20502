/**
 * Idempotency keys: if a client loses the response and repeats a write with the same key, the write is performed once and
 * the first response is returned. If the process was killed during the write, the outcome is unknown and the key stays
 * refused.
 */
import { Refusal } from '@portico/contracts/errors'
import type { Clock } from '../clock.ts'
import { sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'

const KEY = /^[\w.:-]{8,128}$/

/** Performs a write once per key and operator. */
export type Once = <Result>(
  write: {
    readonly operatorId: string
    /** The header, unverified. */
    readonly key: string
    readonly call: string
    /** The body, with the query if the call has one. */
    readonly input: unknown
  },
  run: () => Promise<Result>,
) => Promise<Result>

/**
 * @throws Refusal - `invalid-request` for an invalid key, `idempotency-key-reused` for another write with this key,
 *   `idempotency-pending` while the first one is running or if its outcome is unknown
 */
export function idempotentWrites({
  stores,
  vault,
  clock,
}: {
  readonly stores: Pick<Stores, 'idempotencyKeys'>
  readonly vault: Vault
  readonly clock: Clock
}): Once {
  return async <Result>(
    { operatorId, key, call, input }: Parameters<Once>[0],
    run: () => Promise<Result>,
  ): Promise<Result> => {
    if (!KEY.test(key)) {
      throw new Refusal('invalid-request', {
        errors: ['An idempotency key has 8 to 128 letters, digits and . _ : - characters.'],
      })
    }
    const keyHash = sha256(`${operatorId} ${key}`)
    const requestHash = sha256(`${call} ${JSON.stringify(input)}`)
    if (!(await stores.idempotencyKeys.insert({ keyHash, requestHash, createdAt: clock() }))) {
      const earlier = await stores.idempotencyKeys.find(keyHash)
      if (earlier !== undefined && earlier.requestHash !== requestHash) {
        throw new Refusal('idempotency-key-reused')
      }
      if (earlier === undefined || earlier.answer === null) throw new Refusal('idempotency-pending')
      // Returned by the same call's use case.
      return JSON.parse(vault.unwrap('idempotent answer', earlier.answer)) as Result
    }
    try {
      const answer = await run()
      // A call without a response body stores null.
      const text = JSON.stringify(answer) ?? 'null'
      await stores.idempotencyKeys.updateAnswer(keyHash, vault.wrap('idempotent answer', text))
      return answer
    } catch (error) {
      // A refusal wrote nothing. After any other error, that is uncertain.
      if (error instanceof Refusal) await stores.idempotencyKeys.delete(keyHash)
      throw error
    }
  }
}
