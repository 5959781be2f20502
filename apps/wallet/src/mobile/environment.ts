import type { MobileWalletPage } from '@portico/contracts/mobile-wallet'
import { environmentContext } from '@portico/shell/environment-context'
import type { Camera } from './scan/camera.ts'
import type { Decoder } from './scan/decoder.ts'
import type { Updates } from './service-worker/service-worker-updates.ts'

/** The dependencies of the mobile wallet's screens. */
export interface MobileEnvironment {
  readonly page: MobileWalletPage
  readonly camera: Camera
  readonly openDecoder: () => Decoder
  readonly updates: Updates
  readonly reportError: (error: unknown) => void
}

export const {
  EnvironmentContext: MobileEnvironmentContext,
  useEnvironment: useMobileEnvironment,
} = environmentContext<MobileEnvironment>()
