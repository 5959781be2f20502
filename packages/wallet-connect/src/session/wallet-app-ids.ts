/** The wallet providers a page can name (§3); the `_test` ones are used outside production. */
export const WALLET_APP_IDS = {
  FIGURE_EXTENSION: 'figure_extension',
  FIGURE_MOBILE: 'figure_mobile',
  FIGURE_MOBILE_TEST: 'figure_mobile_test',
  FIGURE_HOSTED: 'figure_hosted',
  FIGURE_HOSTED_TEST: 'figure_hosted_test',
} as const

/** One of the wallet providers. */
export type WalletId = (typeof WALLET_APP_IDS)[keyof typeof WALLET_APP_IDS]

const KNOWN: ReadonlySet<unknown> = new Set(Object.values(WALLET_APP_IDS))

/** Whether something names a wallet provider; storage and callers without types may hold anything. */
export function isWalletId(value: unknown): value is WalletId {
  return KNOWN.has(value)
}
