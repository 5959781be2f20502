import type { ConnectedWallet } from '@portico/rules/connection-match'
import { type DisconnectMethodEventData, WINDOW_MESSAGES } from '@portico/wallet-connect/session'
import { connectedWallet } from './connected-wallet.ts'
import type { Connection } from './connection.ts'

/** What happens to a connection. */
export type ConnectionChange =
  | { readonly type: 'connected'; readonly wallet: ConnectedWallet }
  /** Another account than the required one connected; it is disconnected already. */
  | { readonly type: 'mismatched'; readonly wallet: ConnectedWallet }
  | { readonly type: 'ended'; readonly message: string | undefined }

/** Tells who is connected, now and from now on, and when a connection or an attempt has ended; until aborted. */
export async function* connectionChanges(
  connection: Pick<Connection, 'addListener' | 'removeListener' | 'state'>,
  signal: AbortSignal,
): AsyncGenerator<ConnectionChange> {
  const waiting: ConnectionChange[] = []
  let wake = Promise.withResolvers<void>()
  const tell = (change: ConnectionChange) => {
    waiting.push(change)
    wake.resolve()
  }
  const connected = () => {
    const wallet = connectedWallet(connection)
    if (wallet !== undefined) tell({ type: 'connected', wallet })
  }
  const ended = ({ result: { message, mismatch } }: DisconnectMethodEventData) =>
    tell(mismatch ? { type: 'mismatched', wallet: mismatch } : { type: 'ended', message })
  const { CONNECTED, DISCONNECT } = WINDOW_MESSAGES
  connection.addListener(CONNECTED, connected)
  connection.addListener(DISCONNECT, ended)
  signal.addEventListener('abort', () => wake.resolve())
  connected()
  try {
    while (!signal.aborted) {
      const change = waiting.shift()
      if (change !== undefined) yield change
      else {
        await wake.promise
        wake = Promise.withResolvers<void>()
      }
    }
  } finally {
    connection.removeListener(CONNECTED, connected)
    connection.removeListener(DISCONNECT, ended)
  }
}
