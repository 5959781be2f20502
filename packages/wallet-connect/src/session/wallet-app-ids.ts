/** The wallet providers (§3); the `_test` ones are used outside production. */
export const WALLET_APP_IDS = {
  FIGURE_EXTENSION: 'figure_extension',
  FIGURE_MOBILE: 'figure_mobile',
  FIGURE_MOBILE_TEST: 'figure_mobile_test',
  FIGURE_HOSTED: 'figure_hosted',
  FIGURE_HOSTED_TEST: 'figure_hosted_test',
} as const

export type WalletId = (typeof WALLET_APP_IDS)[keyof typeof WALLET_APP_IDS]

const KNOWN: ReadonlySet<unknown> = new Set(Object.values(WALLET_APP_IDS))

/** Whether a value is a wallet provider's id; storage and untyped callers may contain anything. */
export function isWalletId(value: unknown): value is WalletId {
  return KNOWN.has(value)
}
