// The page is checked against our types: it compiles, so it needs nothing that we do not have.
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
