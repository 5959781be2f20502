import * as z from 'zod/mini'
import { WalletBrand } from './organization.ts'

/** The mobile wallet's page. Its files, manifest and service worker have paths below it. */
export const MOBILE_WALLET_PATH = '/mobile-wallet'

/** The file that makes the mobile wallet installable. */
export const MOBILE_WALLET_MANIFEST_PATH = `${MOBILE_WALLET_PATH}/manifest.webmanifest`

/** The script that serves the mobile wallet offline and receives notifications. */
export const MOBILE_WALLET_SERVICE_WORKER_PATH = `${MOBILE_WALLET_PATH}/service-worker.js`

/**
 * The data of the mobile wallet's page. It contains no session and no connection code, because the page is cached on the
 * device and visible to anyone who holds it.
 */
export const MobileWalletPage = z.object({
  orgCode: z.string(),
  name: z.string(),
  logoPath: z.string(),
  darkLogoPath: z.optional(z.string()),
  supportPhone: z.string(),
  supportEmail: z.string(),
  wallet: WalletBrand,
  /** The network of the wallet's addresses. */
  addressPrefix: z.enum(['pb', 'tp']),
  demonstration: z.boolean(),
  /** The version of the product. */
  version: z.string(),
  /** Whether the page may register a service worker. */
  offline: z.boolean(),
})

export type MobileWalletPage = z.output<typeof MobileWalletPage>

/**
 * The version that the service worker stores: the page and all its files, which belong together. A new
 * version is stored as a whole before it replaces an older one.
 */
export interface MobileWalletVersion {
  readonly id: string
  /** The address of the page with its organization. */
  readonly page: string
  readonly files: readonly string[]
}

/** The response header of the page that names its version. */
export const MOBILE_WALLET_VERSION_HEADER = 'x-mobile-wallet-version'
