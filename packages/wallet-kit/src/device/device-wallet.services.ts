import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { DeviceKeyKeeper, DeviceRequestSource } from '../device-wallet.ts'
import type { Command, Event } from './device-wallet.flow.ts'

export interface DeviceWalletDeps {
  readonly keeper: Pick<DeviceKeyKeeper, 'vault' | 'subscribe'>
  readonly requests: Pick<
    DeviceRequestSource,
    'prompt' | 'waiting' | 'decided' | 'pageReturn' | 'subscribe' | 'answer'
  >
  readonly wait: (milliseconds: number) => Promise<void>
  /** Closes a window that was opened for requests; undefined if this is not one. */
  readonly onDone: (() => void) | undefined
}

// Long enough to read the outcome, short enough not to be annoying.
const CLOSE_DELAY_MS = 2000

export function deviceWalletServices({
  keeper,
  requests,
  wait,
  onDone,
}: DeviceWalletDeps): Services<Event, Command> {
  async function* watch(signal: AbortSignal): AsyncGenerator<Event> {
    let change = Promise.withResolvers<void>()
    const notify = () => change.resolve()
    const stops = [keeper.subscribe(notify), requests.subscribe(notify)]
    signal.addEventListener('abort', notify)
    let shown = ''
    try {
      while (!signal.aborted) {
        // Before reading, so that a change during the read is not missed.
        change = Promise.withResolvers()
        const event = await read()
        const current = JSON.stringify(event)
        if (current !== shown) yield event
        shown = current
        await change.promise
      }
    } finally {
      for (const stop of stops) stop()
    }
  }

  async function read(): Promise<Event> {
    try {
      const vault = await keeper.vault()
      return {
        type: 'changed',
        now: {
          vault,
          prompt: requests.prompt(),
          waiting: requests.waiting(),
          decided: requests.decided(),
          pageReturn: requests.pageReturn(),
        },
      }
    } catch (error) {
      return { type: 'refused', failure: failureOf(error) }
    }
  }

  return {
    watch: (_, signal) => watch(signal),
    answer: ({ promptId, result }) => requests.answer(promptId, result),
    finish: () => onDone?.(),
    async delayContinue({ how }, signal) {
      if (onDone === undefined) return undefined
      await wait(CLOSE_DELAY_MS)
      return signal.aborted ? undefined : { type: 'delayPassed', how }
    },
  }
}
