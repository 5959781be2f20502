import type { ConnectedWallet } from '@portico/rules/connection-match'
import { walletErrorText } from '@portico/rules/wallet-error'
import { isKnownText } from '@portico/wallet-connect/protocol'
import { type DisconnectMethodEventData, WINDOW_MESSAGES } from '@portico/wallet-connect/session'
import { connectedWallet } from './connected-wallet.ts'
import type { Connection } from './connection.ts'

export type ConnectionChange =
  | { readonly type: 'connected'; readonly wallet: ConnectedWallet }
  /** An account other than the required one connected; it has already been disconnected. */
  | { readonly type: 'mismatched'; readonly wallet: ConnectedWallet }
  | { readonly type: 'ended'; readonly message: string | undefined }

/** Yields the current connection, then each change of it, until aborted. */
export async function* connectionChanges(
  connection: Pick<Connection, 'addListener' | 'removeListener' | 'state'>,
  signal: AbortSignal,
): AsyncGenerator<ConnectionChange> {
  const queue: ConnectionChange[] = []
  let wake = Promise.withResolvers<void>()
  const push = (change: ConnectionChange) => {
    queue.push(change)
    wake.resolve()
  }
  const connected = () => {
    const wallet = connectedWallet(connection)
    if (wallet !== undefined) push({ type: 'connected', wallet })
  }
  const ended = ({ result: { message, mismatch } }: DisconnectMethodEventData) =>
    push(
      mismatch
        ? { type: 'mismatched', wallet: mismatch }
        : { type: 'ended', message: walletErrorText(message, isKnownText) },
    )
  const { CONNECTED, DISCONNECT } = WINDOW_MESSAGES
  connection.addListener(CONNECTED, connected)
  connection.addListener(DISCONNECT, ended)
  signal.addEventListener('abort', () => wake.resolve())
  connected()
  try {
    while (!signal.aborted) {
      const change = queue.shift()
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
