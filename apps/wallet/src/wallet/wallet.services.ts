import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Arrival } from '../arrival.ts'
import type { ConnectionDeps } from '../connection/connection.ts'
import type { Connection } from '../connection-state.ts'
import type { Environment } from '../environment.ts'
import { LOGIN_PATH } from '../login-path.ts'
import { isLocked, isSessionGone } from '../session-gone.ts'
import type { Command, Event } from './wallet.flow.ts'

/** What the wallet leans on. */
export interface WalletDeps
  extends Pick<
    Environment,
    'goTo' | 'idle' | 'jwt' | 'keeper' | 'newerFrames' | 'origin' | 'parent' | 'storage' | 'wait'
  > {
  readonly arrival: Arrival
  readonly reportError: (error: unknown) => void
  /** Loads what connects and opens the connection. */
  readonly openConnection: (deps: ConnectionDeps) => Promise<Connection>
}

// Long enough to read one line, short enough not to be waited for.
const REST_MS = 1200

/** Carries out what the wallet has done; each service reports back with an event. */
export function walletServices(deps: WalletDeps): Services<Event, Command> {
  const { arrival, keeper, jwt, parent, storage } = deps
  let connection: Connection | undefined

  /** The page has ended its connection: nothing is left to do but forget it. */
  function forget(): Event {
    storage.remove(STORAGE_KEYS.hostedWallet)
    return { type: 'closed' }
  }

  /** Waits until somebody has signed in or out, in whichever tab. */
  async function* sessions(awaited: 'signedIn' | 'signedOut', signal: AbortSignal) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const stop = jwt.watch((stored) => stored === (awaited === 'signedIn') && resolve(true))
    signal.addEventListener('abort', () => resolve(false))
    const happened = await promise
    stop()
    if (happened) yield { type: awaited } as const
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
        if (isLocked(failure)) return { type: 'locked' }
        return isSessionGone(failure) ? { type: 'signedOut' } : { type: 'refused', failure }
      }
    },
    watchSignIn: (_, signal) =>
      arrival.kind === 'goodbye' ? forget() : sessions('signedIn', signal),
    watchSignOut: (_, signal) => sessions('signedOut', signal),
    async watchIdle(_, signal) {
      await deps.idle(signal)
      if (signal.aborted) return undefined
      // Where the server is not reached the screen is cleared all the same, and the server locks by itself.
      await keeper.lock().catch(() => undefined)
      return { type: 'locked' }
    },
    watchFrames: (_, signal) => (parent === undefined ? undefined : deps.newerFrames(signal)),
    logIn() {
      if (parent === undefined) deps.goTo(LOGIN_PATH)
      else parent.open(LOGIN_PATH)
    },
    async serve({ accounts }, signal) {
      const { origin, reportError } = deps
      const opened = await deps.openConnection({
        accounts,
        arrival,
        origin,
        pageOrigin: parent?.origin,
        storage,
        reportError,
      })
      if (signal.aborted) {
        await opened.leave()
        return undefined
      }
      connection = opened
      return states(opened, signal)
    },
    answer: ({ questionId, result }) => connection?.answer(questionId, result),
    disconnect: () => connection?.end(),
    // Somebody has to decide: a minimized frame shows nothing.
    showItself: () => parent?.restore(),
    async rest() {
      if (parent === undefined) return undefined
      await deps.wait(REST_MS)
      return { type: 'rested' }
    },
    async close() {
      // What was decided leaves before the frame does.
      await connection?.leave()
      parent?.close()
    },
  }
}
