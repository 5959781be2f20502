import type { ConnectedWallet } from '@portico/rules/connection-match'
import type { Connection } from './connection.ts'

/** Who is connected, and for which group; nothing where nobody is. */
export function connectedWallet({ state }: Pick<Connection, 'state'>): ConnectedWallet | undefined {
  if (!state.connected) return undefined
  const group = state.representedGroupPolicy?.address
  return { address: state.address, ...(group ? { group } : {}) }
}
