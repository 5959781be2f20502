// The page is type-checked against our library, which proves that ours has everything it uses.
declare module '@provenanceio/walletconnect-js' {
  export * from '@portico/wallet-connect/react'
}

declare module '*/checkout.tsx?library=published' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- A declared module cannot import.
  export const showCheckout: typeof import('./checkout.tsx').showCheckout
}

declare module '*/checkout.tsx?library=ours' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- A declared module cannot import.
  export const showCheckout: typeof import('./checkout.tsx').showCheckout
}
