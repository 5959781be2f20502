import type { ConnectOptions } from '../protocol/uri.ts'
import type { Settings } from './config.ts'
import { isWalletId, type WalletId } from './launch/wallet-addresses.ts'
import type { Requirements } from './verify-account.ts'

/** The appearance of the QR code. */
export interface QrOptions {
  readonly backgroundColor?: string
  readonly foregroundColor?: string
  readonly logoColor?: string
  readonly padding?: number
  /** The displayed width in CSS pixels; makes each module a whole number of pixels. */
  readonly pixels?: number
  readonly showLogo?: boolean
}

/** The options of `init`. */
export interface InitMethod {
  /** The relay, absolute or relative to the page. */
  readonly bridge?: string
  /** Seconds until the connection expires. */
  readonly duration?: number
  /** The wallet must act for this group. */
  readonly groupAddress?: string
  /** The id of the element that contains the hosted wallet's frame. */
  readonly iframeParentId?: string
  /** The wallet must connect with this account. */
  readonly individualAddress?: string
  /** Lifetime of the wallet's token in seconds. */
  readonly jwtExpiration?: number
  /** Never shows the dialog. */
  readonly noPopup?: boolean
  readonly prohibitGroups?: boolean
  readonly qrOptions?: QrOptions
  /** Opens this wallet directly instead of showing the dialog. */
  readonly walletAppId?: WalletId
}

/** The former name of `InitMethod`. */
export type ConnectMethod = InitMethod

/** The validated options of a connection attempt; the page that passed them may not be type-checked. */
export interface AttemptPlan {
  readonly settings: Partial<Settings>
  readonly connectOptions: ConnectOptions
  readonly required: Requirements
  readonly qrOptions: QrOptions
  readonly walletAppId: WalletId | undefined
  readonly popup: boolean
}

/** Validates the options of `init`. Without a duration the page's current connection timeout applies. */
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
    connectOptions: {
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

/** A positive number of seconds; zero, negative values and NaN count as not given. */
export function positive(seconds: number | undefined): number | undefined {
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}
