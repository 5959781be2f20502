import type { ConnectOptions } from '../protocol/uri.ts'
import type { Settings } from './settings.ts'
import type { Requirements } from './verify-account.ts'
import { isWalletId, type WalletId } from './wallet-app-ids.ts'

/** How the QR code looks. */
export interface QrOptions {
  readonly backgroundColor?: string
  readonly foregroundColor?: string
  readonly logoColor?: string
  readonly padding?: number
  /** The width in CSS pixels at which it is shown, so that each module gets whole pixels. */
  readonly pixels?: number
  readonly showLogo?: boolean
}

/** What `init` takes. */
export interface InitMethod {
  /** The relay, absolute or relative to the page. */
  readonly bridge?: string
  /** Seconds until the connection expires. */
  readonly duration?: number
  /** The wallet must act for this group. */
  readonly groupAddress?: string
  /** Where the hosted wallet's frame is put. */
  readonly iframeParentId?: string
  /** The wallet must connect with this account. */
  readonly individualAddress?: string
  /** Seconds that the wallet's token is to live. */
  readonly jwtExpiration?: number
  /** Show no dialogue, whether or not a wallet is named. */
  readonly noPopup?: boolean
  readonly prohibitGroups?: boolean
  readonly qrOptions?: QrOptions
  /** Opens this wallet directly instead of showing the dialogue. */
  readonly walletAppId?: WalletId
}

/** The same under its old name. */
export type ConnectMethod = InitMethod

/** What an attempt needs to know, read from the options of a page that may not have been type-checked. */
export interface AttemptPlan {
  readonly settings: Partial<Settings>
  readonly wishes: ConnectOptions
  readonly required: Requirements
  readonly qrOptions: QrOptions
  readonly walletAppId: WalletId | undefined
  readonly popup: boolean
}

/** Reads the options of `init`. Without a duration the connection lasts as long as the page's timeout says. */
export function attemptPlan(options: InitMethod, connectionTimeoutMs: number): AttemptPlan {
  const { bridge, individualAddress, groupAddress, iframeParentId, prohibitGroups } = options
  const walletAppId = isWalletId(options.walletAppId) ? options.walletAppId : undefined
  const durationS = positive(options.duration)
  const timeoutMs = durationS === undefined ? connectionTimeoutMs : durationS * 1000
  const required = { individualAddress, groupAddress, prohibitGroups }
  return {
    settings: {
      ...(bridge ? { bridge } : {}),
      ...(iframeParentId ? { iframeParentId } : {}),
      ...(walletAppId ? { walletAppId } : {}),
      connectionTimeoutMs: timeoutMs,
    },
    wishes: {
      ...required,
      jwtExpirationS: positive(options.jwtExpiration),
      connectionDurationS: timeoutMs / 1000,
    },
    required,
    qrOptions: options.qrOptions ?? {},
    walletAppId,
    popup: walletAppId === undefined && options.noPopup !== true,
  }
}

/** Seconds that make sense; zero, negative and not-a-number mean "not said". */
export function positive(seconds: number | undefined): number | undefined {
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}
