/** One chunk for the screens that connect a wallet, since they share most of their code; see `lazy-connect-screens.ts`. */
export { ConnectScreen } from './connect/connect-screen.tsx'
export { Verify } from './verify/verify.tsx'
