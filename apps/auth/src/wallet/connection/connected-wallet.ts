import type { ConnectedWallet } from '@portico/rules/connection-match'
import type { Connection } from './connection.ts'

/** The connected wallet and the group it represents, or undefined if none is connected. */
export function connectedWallet({ state }: Pick<Connection, 'state'>): ConnectedWallet | undefined {
  if (!state.connected) return undefined
  const group = state.representedGroupPolicy?.address
  return { address: state.address, ...(group ? { group } : {}) }
}
