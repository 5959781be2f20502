import { environmentContext } from '@portico/shell/environment-context'
import type { KeyKeeper } from './key-keeper.ts'
import type { VisibilityGuard } from './visibility-guard.ts'

/** The dependencies of the screens that every wallet shares. */
export interface WalletEnvironment {
  readonly keyKeeper: KeyKeeper
  readonly visibility: VisibilityGuard
  readonly reportError: (error: unknown) => void
}

/** The React context of the shared screens. */
export const {
  EnvironmentContext: WalletEnvironmentContext,
  useEnvironment: useWalletEnvironment,
} = environmentContext<WalletEnvironment>()
