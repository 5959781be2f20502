import { call } from './call.ts'
import { WalletBrand } from './organization.ts'

/**
 * The names and store links of the lender's wallets, for the dialog of a page that connects them. Pages of other origins
 * call it, so it contains only what any visitor sees.
 */
export const readWalletOffers = call({
  name: 'readWalletOffers',
  summary: "Read the names and store links of the lender's wallets.",
  method: 'GET',
  path: '/service-wallet-connect-bridge/wallets',
  auth: 'none',
  origins: 'any',
  answer: WalletBrand,
})

export const WALLET_OFFER_CALLS = [readWalletOffers] as const
