/**
 * The published packages, as this suite's own folder has them. They are asked for at run time: nothing else of the
 * repository has them, and what can be had only after an installation may not be a plain import.
 */
import { createRequire } from 'node:module'
import type { WalletConnectService } from '@portico/wallet-connect/session'

const load = createRequire(import.meta.url)

/** The versions of the page's library that are held against ours. */
export const PUBLISHED_PAGES = {
  '3.10.3': '@provenanceio/walletconnect-js',
  '3.10.2': 'walletconnect-js-3.10.2',
} as const

/** What this suite takes from the page's library; its service is held to the methods of ours. */
export interface PublishedPage {
  readonly WalletConnectService: new () => WalletConnectService
}

/** The page's library without its React parts. */
export function publishedPage(version: keyof typeof PUBLISHED_PAGES): PublishedPage {
  return load(`${PUBLISHED_PAGES[version]}/lib/service`) as PublishedPage
}

/** A published client, in the words of version 1.8.0; a page or a wallet by what it is begun with. */
export interface PublishedClient {
  readonly connected: boolean
  readonly uri: string
  readonly accounts: readonly unknown[]
  readonly chainId: unknown
  readonly peerMeta: { readonly name: string; readonly url: string } | null
  readonly on: (event: string, heard: (error: Error | null, payload: Payload) => void) => void
  readonly createSession: () => Promise<void>
  readonly approveSession: (terms: Terms) => void
  readonly rejectSession: (error?: { readonly message: string }) => void
  readonly updateSession: (terms: Terms) => void
  readonly killSession: (error?: { readonly message: string }) => Promise<void>
  readonly sendCustomRequest: (request: {
    readonly method: string
    readonly params: readonly unknown[]
  }) => Promise<unknown>
  readonly approveRequest: (answer: { readonly id: number; readonly result: unknown }) => void
  readonly rejectRequest: (answer: {
    readonly id: number
    readonly error: { readonly message: string }
  }) => void
  readonly transportClose: () => void
}

/** What the client's listeners are given. */
export interface Payload {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** What a wallet approves; chain ids are numbers by its types and texts in practice. */
interface Terms {
  readonly chainId: number | string
  readonly accounts: readonly unknown[]
}

let clients = 0

/** Begins a published client: with a URI a wallet, with a bridge a page. */
export function publishedClient(
  options: { readonly uri: string } | { readonly bridge: string },
): PublishedClient {
  const { default: WalletConnect } = load('@walletconnect/client') as {
    default: new (options: object) => PublishedClient
  }
  clients += 1
  // Both ends live in one process here, which must not make them share what they store.
  return new WalletConnect({ ...options, storageId: `client-${clients}` })
}

/** The DOM that the page's library needs, of a page at this address. */
export function dom(url: string, markup: string): { readonly window: DomWindow } {
  const { JSDOM } = load('jsdom') as {
    JSDOM: new (markup: string, options: object) => { window: DomWindow }
  }
  return new JSDOM(markup, { url, pretendToBeVisual: true })
}

type DomWindow = Window & typeof globalThis
