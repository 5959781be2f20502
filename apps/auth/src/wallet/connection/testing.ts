import type { ConnectedWallet } from '@portico/rules/connection-match'
import type { InitMethod } from '@portico/wallet-connect/session'
import { WINDOW_MESSAGES } from '@portico/wallet-connect/session'
import type { Connection } from './connection.ts'

/** Deviations from a connection that succeeds. */
interface FakeConnectionOptions {
  readonly initFails?: string
  readonly connected?: ConnectedWallet
  readonly signature?: string | undefined
  readonly signError?: string
  readonly walletName?: string
}

/** A wallet session without a wallet; the test triggers its events. */
export function fakeConnection(options: FakeConnectionOptions = {}) {
  const listeners = new Map<string, Set<(data: never) => void>>()
  const inits: InitMethod[] = []
  const signed: string[] = []
  let disconnects = 0
  const state = {
    status: 'disconnected',
    connected: false,
    address: '',
    representedGroupPolicy: null as { address: string } | null,
    signedJWT: 'wallet.jwt.sig',
    walletInfo: options.walletName === undefined ? {} : { name: options.walletName },
    modal: { QRCodeImg: 'data:,', QRCodeUrl: 'https://link', dynamicUrl: '', isMobile: false },
  }
  const emit = (event: string, data: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(data as never)
  }
  const connect = ({ address, group }: ConnectedWallet) => {
    const representedGroupPolicy = group === undefined ? null : { address: group }
    Object.assign(state, { status: 'connected', connected: true, address, representedGroupPolicy })
    emit(WINDOW_MESSAGES.CONNECTED, { result: {} })
  }
  if (options.connected) connect(options.connected)
  // Only the members that these screens use.
  const connection = {
    state,
    wallets: [
      { id: 'figure_extension', walletCheck: () => false, walletUrl: 'https://store.example' },
      { id: 'figure_mobile_test' },
    ],
    addListener: (event: string, listener: (data: never) => void) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener: (event: string, listener: (data: never) => void) =>
      listeners.get(event)?.delete(listener),
    async init(init: InitMethod) {
      inits.push(init)
      if (options.initFails !== undefined) throw new Error(options.initFails)
      return 'initialized'
    },
    async disconnect() {
      disconnects += 1
      Object.assign(state, { status: 'disconnected', connected: false, address: '' })
    },
    async signHexMessage(hex: string) {
      signed.push(hex)
      return options.signError === undefined
        ? { valid: true, result: { signature: options.signature ?? 'ab' } }
        : { valid: false, error: options.signError }
    },
  } as unknown as Connection
  return { connection, connect, emit, inits, signed, disconnects: () => disconnects }
}
