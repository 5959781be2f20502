import type { DeviceEnvironment } from '../environment.ts'
import type { GroupsEnvironment } from './groups-environment.ts'

export function deviceGroupsEnvironment({
  keeper,
  clock,
  reportError,
}: Pick<DeviceEnvironment, 'keeper' | 'clock' | 'reportError'>): GroupsEnvironment {
  return {
    accounts: keeper.accounts,
    subscribe: keeper.subscribe,
    clock,
    reportError,
    // The whole wallet is locked at the same time, and asks for the passphrase itself.
    unlock: () => null,
  }
}
