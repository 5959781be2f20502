import type { Client } from '@portico/client/client'
import { readBotCheckChallenge } from '@portico/contracts/identity'
// oxlint-disable-next-line import/default -- Vite gives the worker's address where this query asks for it.
import workerUrl from './altcha.worker.ts?worker&url'
import { workerAddress } from './worker-address.ts'

/** A puzzle as the server gives it; only the worker and the server look inside. */
type Challenge = Readonly<Record<string, unknown>>

/** What the worker finds. */
interface Solution {
  readonly counter: number
  readonly derivedKey: string
}

/** The product's own check: gets a puzzle and gives its solution as the server reads it, base64 of JSON. */
export function altcha(client: Client) {
  return async (): Promise<string> => {
    const challenge = await client(readBotCheckChallenge, {})
    const solution = await solve(challenge)
    return btoa(JSON.stringify({ challenge, solution }))
  }
}

function solve(challenge: Challenge): Promise<Solution> {
  const worker = new Worker(workerAddress(workerUrl), { type: 'module' })
  return new Promise<Solution>((resolve, reject) => {
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<Solution | { error: unknown } | null>) => {
        if (data !== null && 'derivedKey' in data) resolve(data)
        else reject(new Error('The bot check was not solved', { cause: data?.error }))
      },
    )
    worker.addEventListener('error', (event) => {
      reject(new Error('The worker of the bot check did not run', { cause: event }))
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has no origin to name.
    worker.postMessage({ type: 'work', challenge })
  }).finally(() => worker.terminate())
}
