import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { CurrentRequest } from '@portico/wallet-kit/request-source'
import { isLocked, isSessionGone } from '@portico/wallet-kit/session-gone'
import type { Arrival } from '../arrival.ts'
import type { ConnectionDeps } from '../connection/connection.ts'
import type { Connection } from '../connection-state.ts'
import type { Environment } from '../environment.ts'
import { LOGIN_PATH } from '../login-path.ts'
import type { Command, Event } from './wallet.flow.ts'

export interface WalletDeps
  extends Pick<
    Environment,
    | 'goTo'
    | 'idle'
    | 'jwt'
    | 'keyKeeper'
    | 'newerFrames'
    | 'origin'
    | 'parent'
    | 'proposalOutcome'
    | 'storage'
    | 'wait'
  > {
  readonly arrival: Arrival
  readonly reportError: (error: unknown) => void
  /** Loads the connection code and opens the connection. */
  readonly openConnection: (deps: ConnectionDeps) => Promise<Connection>
}

// Long enough to read one line, short enough not to be annoying.
const CLOSE_DELAY_MS = 1200

/** The services, and the current request of the open connection. */
export function walletServices(deps: WalletDeps): {
  readonly services: Services<Event, Command>
  readonly currentRequest: CurrentRequest
} {
  const { arrival, keyKeeper, jwt, parent, storage } = deps
  let connection: Connection | undefined

  /** Removes the stored connection after the page has ended it. */
  function removeConnection(): Event {
    storage.remove(STORAGE_KEYS.hostedWallet)
    return { type: 'closed' }
  }

  /** Yields when the user has signed in or out in any tab. */
  async function* sessions(awaited: 'signedIn' | 'signedOut', signal: AbortSignal) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const stop = jwt.watch((stored) => stored === (awaited === 'signedIn') && resolve(true))
    signal.addEventListener('abort', () => resolve(false))
    const changed = await promise
    stop()
    if (changed) yield { type: awaited } as const
  }

  async function* states(opened: Connection, signal: AbortSignal): AsyncGenerator<Event> {
    let changed = Promise.withResolvers<void>()
    const stop = opened.subscribe(() => changed.resolve())
    signal.addEventListener('abort', () => changed.resolve())
    let lastState = ''
    try {
      while (!signal.aborted) {
        const state = opened.state()
        const currentState = JSON.stringify(state)
        if (currentState !== lastState) yield { type: 'connectionChanged', connection: state }
        lastState = currentState
        await changed.promise
        changed = Promise.withResolvers<void>()
      }
    } finally {
      // The step was left; the next login opens the connection again.
      stop()
      await opened.leave()
    }
  }

  const services: Services<Event, Command> = {
    async readAccounts() {
      if (arrival.kind === 'disconnect') return removeConnection()
      try {
        return { type: 'accountsRead', accounts: await keyKeeper.accounts() }
      } catch (error) {
        const failure = failureOf(error)
        if (isLocked(failure)) return { type: 'locked' }
        return isSessionGone(failure) ? { type: 'signedOut' } : { type: 'refused', failure }
      }
    },
    watchSignIn: (_, signal) =>
      arrival.kind === 'disconnect' ? removeConnection() : sessions('signedIn', signal),
    async *watchSignOut(_, signal) {
      for await (const event of sessions('signedOut', signal)) {
        // The connection belongs to the user who has left, in whichever tab they logged out.
        storage.remove(STORAGE_KEYS.hostedWallet)
        yield event
      }
    },
    async watchIdle(_, signal) {
      await deps.idle(signal)
      if (signal.aborted) return undefined
      // If the server is unreachable the screen is still cleared; the server locks on its own timeout.
      await keyKeeper.lock().catch(() => undefined)
      return { type: 'locked' }
    },
    watchFrames: (_, signal) => (parent === undefined ? undefined : deps.newerFrames(signal)),
    logIn() {
      if (parent === undefined) deps.goTo(LOGIN_PATH)
      else parent.open(LOGIN_PATH)
    },
    async serve({ accounts }, signal) {
      const { origin, proposalOutcome, reportError } = deps
      const opened = await deps.openConnection({
        accounts,
        arrival,
        origin,
        pageOrigin: parent?.origin,
        storage,
        proposalOutcome,
        reportError,
      })
      if (signal.aborted) {
        await opened.leave()
        return undefined
      }
      connection = opened
      return states(opened, signal)
    },
    answer: ({ promptId, result }) => connection?.answer(promptId, result),
    disconnect: () => connection?.end(),
    // The user has to decide, which is not possible in a minimized frame.
    restoreFrame: () => parent?.restore(),
    minimizeFrame: () => parent?.minimize(),
    async delayClose() {
      if (parent === undefined) return undefined
      await deps.wait(CLOSE_DELAY_MS)
      return { type: 'closeDelayPassed' }
    },
    async close() {
      // Pending responses must be sent before the frame closes.
      await connection?.leave()
      parent?.close()
    },
  }
  const currentRequest: CurrentRequest = {
    commit: async (promptId) => (await connection?.commit(promptId)) ?? false,
    release: (promptId) => connection?.release(promptId),
  }
  return { services, currentRequest }
}
