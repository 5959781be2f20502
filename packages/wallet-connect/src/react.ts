/** All that a page with React imports: what the public library gives under one name, and `useWalletState`. */
export { QRCodeModal } from './react/qr-code-modal.tsx'
export { useWalletConnectService } from './react/use-wallet-connect-service.ts'
export {
  useWalletConnect,
  useWalletState,
  WalletConnectContextProvider,
} from './react/wallet-connect-context.tsx'
export * from './session.ts'
