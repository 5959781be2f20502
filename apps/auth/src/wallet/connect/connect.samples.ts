import type { ConnectCode, Event, Input } from './connect.flow.ts'

/** A pairing code as the wallet library creates it. */
export const code: ConnectCode = {
  image: 'data:image/svg+xml,%3Csvg/%3E',
  link: 'https://lender.example/mobile-wallet?link=wc',
  tapLink: 'https://lender.example/mobile-wallet?link=tap',
}

export const inputs: readonly Input[] = [
  { wanted: { walletAddress: 'tp1me' }, walletKind: 'mobile' },
  { wanted: { walletAddress: 'tp1me', groupPolicyAddress: 'tp1group' }, walletKind: 'hosted' },
  { wanted: undefined, walletKind: 'extension' },
]

export const events: readonly Event[] = [
  { type: 'walletKindChosen', walletKind: 'mobile' },
  { type: 'walletKindChosen', walletKind: 'extension' },
  { type: 'walletKindChosen', walletKind: 'hosted' },
  { type: 'prepared', walletKind: 'mobile', code },
  { type: 'prepared', walletKind: 'hosted', code },
  { type: 'extensionMissing' },
  { type: 'connected', wallet: { address: 'tp1me' } },
  { type: 'mismatched', wallet: { address: 'tp1other' } },
  { type: 'ended', message: 'Connection rejected by user' },
  { type: 'ended', message: 'Requested account is not available' },
  { type: 'ended', message: undefined },
  { type: 'serviceFailed' },
]
