import '@portico/contracts/refusal-sentences'
import { environmentContext } from '@portico/shell/environment-context'
import type { DeviceKeyKeeper, DeviceRequestSource } from '../device-wallet.ts'
import { type VisibilityGuard, visibilityGuard } from '../visibility-guard.ts'
import type { GroupReader } from './groups/group-reader.ts'

/** The dependencies of the screens of a wallet on the user's device. */
export interface DeviceEnvironment {
  readonly keeper: DeviceKeyKeeper
  readonly requests: DeviceRequestSource
  readonly visibility: VisibilityGuard
  /** Copies text to the clipboard; resolves to false if the browser denied access. */
  readonly copy: (text: string) => Promise<boolean>
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly wait: (milliseconds: number) => Promise<void>
  readonly reportError: (error: unknown) => void
  /** The version of the wallet, shown in its settings. */
  readonly version: string
  /** 'Test network', for example: short, because it is beside the lender's name. */
  readonly network: string
  /** Whether a passkey can be added to unlock the wallet. */
  readonly arePasskeysSupported: boolean
  /** Amounts such as '25 hash' by address; undefined if the shell does not show balances. */
  readonly balances?:
    | ((addresses: readonly string[]) => Promise<ReadonlyMap<string, string>>)
    | undefined
  /** Undefined if the shell has no connection to a chain; then the wallet shows no groups. */
  readonly groups?: GroupReader | undefined
  /** Pays test funds to an address. Undefined outside of a demonstration. */
  readonly requestFunds?: ((address: string) => Promise<void>) | undefined
}

/** What a shell supplies to `deviceEnvironment`. */
export type DeviceParts = Pick<
  DeviceEnvironment,
  'keeper' | 'requests' | 'version' | 'network' | 'balances' | 'groups' | 'requestFunds'
>

/** The environment in a browser window. */
export function deviceEnvironment(parts: DeviceParts, window: Window): DeviceEnvironment {
  return {
    ...parts,
    visibility: visibilityGuard(window),
    async copy(text) {
      try {
        await window.navigator.clipboard.writeText(text)
        return true
      } catch {
        // The browser denied access, or has no clipboard here. The text is also on the screen.
        return false
      }
    },
    clock: Date.now,
    wait: (milliseconds) => new Promise((resolve) => window.setTimeout(resolve, milliseconds)),
    reportError: (error) => window.reportError(error),
    arePasskeysSupported: typeof globalThis.PublicKeyCredential === 'function',
  }
}

export const {
  EnvironmentContext: DeviceEnvironmentContext,
  useEnvironment: useDeviceEnvironment,
} = environmentContext<DeviceEnvironment>()
