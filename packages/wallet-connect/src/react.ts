/** Everything a React page imports: the exports of the public library, and `useWalletState`. */

export { QRCodeModal } from './react/qr-code-modal.tsx'
export {
  useWalletConnect,
  useWalletConnectService,
  useWalletState,
  WalletConnectContextProvider,
} from './react/wallet-connect-context.tsx'
export * from './session.ts'
