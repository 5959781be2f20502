import type { Client } from '@portico/client/client'
import { readBotCheckChallenge } from '@portico/contracts/identity'
import { trustedScriptUrl } from '@portico/shell/trusted-script-url'
// oxlint-disable-next-line import/default -- With this query, Vite exports the worker's URL as the default export.
import workerUrl from './altcha.worker.ts?worker&url'
import { BotCheckBlocked } from './bot-check-blocked.ts'

/** An opaque proof-of-work challenge; only the worker and the server read it. */
type Challenge = Readonly<Record<string, unknown>>

/** The worker's result. */
interface Solution {
  readonly counter: number
  readonly derivedKey: string
}

/** The built-in check: fetches a challenge and returns its solution as base64-encoded JSON. */
export function altcha(client: Client) {
  return async (): Promise<string> => {
    const challenge = await client(readBotCheckChallenge, {})
    const solution = await solve(challenge)
    return btoa(JSON.stringify({ challenge, solution }))
  }
}

function startWorker(): Worker {
  try {
    return new Worker(trustedScriptUrl(workerUrl), { type: 'module' })
  } catch (error) {
    throw new BotCheckBlocked('The browser refused to start the bot-check worker', { cause: error })
  }
}

async function solve(challenge: Challenge): Promise<Solution> {
  const worker = startWorker()
  return new Promise<Solution>((resolve, reject) => {
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<Solution | { error: unknown } | null>) => {
        if (data !== null && 'derivedKey' in data) resolve(data)
        else reject(new Error('The bot check was not solved', { cause: data?.error }))
      },
    )
    worker.addEventListener('error', (event) => {
      // An error within the script has a message; one that was not loaded has none.
      const isBlocked = navigator.onLine && !(event instanceof ErrorEvent && event.message !== '')
      const Kind = isBlocked ? BotCheckBlocked : Error
      reject(new Kind('The bot-check worker failed to run', { cause: event }))
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- `Worker.postMessage` takes no target origin.
    worker.postMessage({ type: 'work', challenge })
  }).finally(() => worker.terminate())
}
