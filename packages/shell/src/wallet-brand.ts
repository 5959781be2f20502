import { DEFAULT_WALLET_BRAND, type WalletBrand } from '@portico/contracts/organization'
import { createContext, use } from 'react'

/** The organization's wallet names; `PageFrame` provides it. */
export const WalletBrandContext = createContext<WalletBrand>(DEFAULT_WALLET_BRAND)

/** The organization's wallet names and install URLs. */
export function useWalletBrand(): WalletBrand {
  return use(WalletBrandContext)
}
