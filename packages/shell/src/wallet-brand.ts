import { DEFAULT_WALLET_BRAND, type WalletBrand } from '@portico/contracts/organization'
import { createContext, use } from 'react'

/** Hands down what the organization of the page calls its wallets; `PageFrame` provides it. */
export const WalletBrandContext = createContext<WalletBrand>(DEFAULT_WALLET_BRAND)

/** What the organization of the page calls its wallets, and where they can be installed. */
export function useWalletBrand(): WalletBrand {
  return use(WalletBrandContext)
}
