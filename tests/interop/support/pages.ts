/** A page with a wallet library, ours or a published one, behind one interface. */
import './browser.ts'
import { WalletConnectService, WINDOW_MESSAGES } from '@portico/wallet-connect/session'
import { type PUBLISHED_PAGES, publishedPage } from './published.ts'

export interface PageKind {
  readonly name: string
  readonly newService: () => WalletConnectService
}

/** Our library. */
export const OUR_PAGE: PageKind = {
  name: 'our page',
  newService: () => new WalletConnectService(),
}

/** A published library. */
export function publishedPageKind(version: keyof typeof PUBLISHED_PAGES): PageKind {
  return {
    name: `a page with the published library ${version}`,
    newService: () => new (publishedPage(version).WalletConnectService)(),
  }
}

/** One page load and its events. */
export interface TestPage extends AsyncDisposable {
  readonly service: WalletConnectService
  readonly events: readonly { readonly name: string; readonly data: unknown }[]
  /** The payload of the newest event of that name. */
  readonly payloadOf: (name: string) => unknown
  readonly howOften: (name: string) => number
}

/** Loads a page with empty storage, or with an earlier page's storage. */
export function aPage(
  kind: PageKind,
  stored: 'nothing stored' | 'as stored' = 'nothing stored',
): TestPage {
  if (stored === 'nothing stored') localStorage.clear()
  const service = kind.newService()
  const events: { name: string; data: unknown }[] = []
  for (const name of Object.values(WINDOW_MESSAGES)) {
    service.addListener(name, (data) => events.push({ name, data }))
  }
  return {
    service,
    events,
    payloadOf: (name) => events.findLast((event) => event.name === name)?.data,
    howOften: (name) => events.filter((event) => event.name === name).length,
    async [Symbol.asyncDispose]() {
      await service.disconnect()
      service.removeListener('all')
    },
  }
}
