/**
 * The published packages in this suite's folder, imported at run time, because the rest of the repository
 * does not have them and they may not be installed.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as session from '@portico/wallet-connect/session'
import type { WalletConnectService } from '@portico/wallet-connect/session'

const load = createRequire(import.meta.url)

/** The tested versions of the page's library. */
export const PUBLISHED_PAGES = {
  '3.10.3': '@provenanceio/walletconnect-js',
  '3.10.2': 'walletconnect-js-3.10.2',
} as const

/** The used exports of the page's library; its service must have the methods of ours. */
export interface PublishedPage {
  readonly WalletConnectService: new () => WalletConnectService
}

/** The page's library without its React parts. */
export function publishedPage(version: keyof typeof PUBLISHED_PAGES): PublishedPage {
  return load(`${PUBLISHED_PAGES[version]}/lib/service`) as PublishedPage
}

/** What a page has that loads the published library and client by script elements. */
export interface PublishedGlobals {
  readonly wcjs: Pick<typeof session, 'WALLET_LIST'> & PublishedPage
  readonly WalletConnect: {
    readonly default: new (options: { readonly bridge: string }) => PublishedClient
  }
}

const NODE_GLOBAL =
  "globalThis.process = { env: {}, version: '', nextTick: (run, ...args) => queueMicrotask(() => run(...args)) }"

/** The published library and client as their packages ship them for script elements. */
export function publishedScripts(): string {
  const files = [
    `${PUBLISHED_PAGES['3.10.3']}/umd/walletconnect-js.min.js`,
    '@walletconnect/client/dist/umd/index.min.js',
  ]
  const scripts = files.map((file) => readFileSync(load.resolve(file), 'utf8'))
  // Their dependencies use Node's global object, which the bundlers of pages define.
  return [NODE_GLOBAL, ...scripts].join('\n;')
}

/** A published client, version 1.8.0; a page or a wallet, depending on its options. */
export interface PublishedClient {
  readonly connected: boolean
  readonly uri: string
  readonly accounts: readonly unknown[]
  readonly chainId: unknown
  readonly peerMeta: { readonly name: string; readonly url: string } | null
  readonly on: (event: string, listener: (error: Error | null, payload: Payload) => void) => void
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

export interface Payload {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** A wallet's approval; chain ids are numbers by its types and strings in practice. */
interface Terms {
  readonly chainId: number | string
  readonly accounts: readonly unknown[]
}

let clients = 0

/** Creates a published client: a wallet with a URI, a page with a bridge. */
export function publishedClient(
  options: { readonly uri: string } | { readonly bridge: string },
): PublishedClient {
  const { default: WalletConnect } = load('@walletconnect/client') as {
    default: new (options: object) => PublishedClient
  }
  clients += 1
  // Both ends run in one process but must not share storage.
  return new WalletConnect({ ...options, storageId: `client-${clients}` })
}

/** The DOM for the page's library, of a page at this URL. */
export function dom(url: string, markup: string): { readonly window: DomWindow } {
  const { JSDOM } = load('jsdom') as {
    JSDOM: new (markup: string, options: object) => { window: DomWindow }
  }
  return new JSDOM(markup, { url, pretendToBeVisual: true })
}

type DomWindow = Window & typeof globalThis
