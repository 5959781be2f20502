import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Arrival } from '../arrival.ts'
import type { ConnectionNeeds } from '../connection/connection.ts'
import type { Connection } from '../connection-state.ts'
import type { Environment } from '../environment.ts'
import { LOGIN_PATH } from '../login-path.ts'
import { isSessionGone } from '../session-gone.ts'
import type { Command, Event } from './wallet.flow.ts'

/** What the wallet leans on. */
export interface WalletNeeds
  extends Pick<
    Environment,
    'goTo' | 'jwt' | 'keeper' | 'newerFrames' | 'origin' | 'parent' | 'storage' | 'wait'
  > {
  readonly arrival: Arrival
  readonly reportError: (error: unknown) => void
  /** Loads what connects and opens the connection. */
  readonly openConnection: (needs: ConnectionNeeds) => Promise<Connection>
}

// Long enough to read one line, short enough not to be waited for.
const REST_MS = 1200

/** Carries out what the wallet has done; each service reports back with an event. */
export function walletServices(needs: WalletNeeds): Services<Event, Command> {
  const { arrival, keeper, jwt, parent, storage } = needs
  let connection: Connection | undefined

  /** The page has ended its connection: nothing is left to do but forget it. */
  function forget(): Event {
    storage.remove(STORAGE_KEYS.hostedWallet)
    return { type: 'closed' }
  }

  async function* signIns(signal: AbortSignal): AsyncGenerator<Event> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const stop = jwt.watch((stored) => stored && resolve(true))
    signal.addEventListener('abort', () => resolve(false))
    const signedIn = await promise
    stop()
    if (signedIn) yield { type: 'signedIn' }
  }

  async function* states(opened: Connection, signal: AbortSignal): AsyncGenerator<Event> {
    let changed = Promise.withResolvers<void>()
    const stop = opened.subscribe(() => changed.resolve())
    signal.addEventListener('abort', () => changed.resolve())
    let told = ''
    try {
      while (!signal.aborted) {
        const state = opened.state()
        const news = JSON.stringify(state)
        if (news !== told) yield { type: 'connectionChanged', connection: state }
        told = news
        await changed.promise
        changed = Promise.withResolvers<void>()
      }
    } finally {
      // Nobody looks any more: whoever logs in next opens it again.
      stop()
      await opened.leave()
    }
  }

  return {
    async readAccounts() {
      if (arrival.kind === 'goodbye') return forget()
      try {
        return { type: 'accountsRead', accounts: await keeper.accounts() }
      } catch (error) {
        const failure = failureOf(error)
        return isSessionGone(failure) ? { type: 'signedOut' } : { type: 'refused', failure }
      }
    },
    watchSignIn: (_, signal) => (arrival.kind === 'goodbye' ? forget() : signIns(signal)),
    watchFrames: (_, signal) => (parent === undefined ? undefined : needs.newerFrames(signal)),
    logIn() {
      if (parent === undefined) needs.goTo(LOGIN_PATH)
      else parent.open(LOGIN_PATH)
    },
    async serve({ accounts }, signal) {
      const { origin, reportError } = needs
      const opened = await needs.openConnection({ accounts, arrival, origin, storage, reportError })
      if (signal.aborted) {
        await opened.leave()
        return undefined
      }
      connection = opened
      return states(opened, signal)
    },
    answer: ({ questionId, result }) => connection?.answer(questionId, result),
    disconnect: () => connection?.end(),
    // Somebody has to decide: a minimised frame shows nothing.
    showItself: () => parent?.restore(),
    async rest() {
      if (parent === undefined) return undefined
      await needs.wait(REST_MS)
      return { type: 'rested' }
    },
    async close() {
      // What was decided leaves before the frame does.
      await connection?.leave()
      parent?.close()
    },
  }
}
