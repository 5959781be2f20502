/** The ways to a connected wallet, in one file because they are made of the same things; see `connect-parts.ts`. */
export { ConnectScreen } from './connect/connect-screen.tsx'
export { Verify } from './verify/verify.tsx'
