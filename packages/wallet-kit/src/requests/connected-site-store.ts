/**
 * The connections of a wallet on a device in its storage: one value per site, so that a site's messages are written without those
 * of the others, and a list of the sites. They contain the keys of the connections, so they are secrets of this wallet.
 */
import { Proposed } from '@portico/contracts/hosted-wallet'
import { parseJson } from '@portico/contracts/parse-json'
import * as z from 'zod/mini'
import type { DeviceStore } from '../device-wallet.ts'

const StoredAccount = z.object({
  name: z.string(),
  address: z.string(),
  publicKey: z.string(),
  verified: z.boolean(),
  groups: z.array(z.object({ name: z.string(), address: z.string() })),
})

const StoredSite = z.object({
  /** The code that the connection was joined with. */
  uri: z.string(),
  /** As the browser reported it. */
  origin: z.optional(z.string()),
  /** The origin of the tab, if the page has none itself. */
  tabOrigin: z.optional(z.string()),
  /** Epoch milliseconds. */
  joinedAt: z.number(),
  /** The page's session request while the user decides. */
  request: z.optional(z.string()),
  /** The connected session. */
  session: z.optional(z.string()),
  /** The account of the session, which pages may use while the wallet is locked. */
  account: z.optional(StoredAccount),
  /** The proposals that the page waits for, by the id of its request. They are followed while the wallet is locked too. */
  proposals: z.optional(z.record(z.string(), Proposed)),
  connectedAt: z.optional(z.number()),
  /** When the user ended the connection, if the page may not have been notified. */
  endingAt: z.optional(z.number()),
})

export type StoredSite = Readonly<z.output<typeof StoredSite>>

const SITES = 'connected-sites'
const siteKey = (id: string) => `connected-site:${id}`

export interface ConnectedSiteStore {
  readonly list: () => Promise<readonly (readonly [id: string, site: StoredSite])[]>
  readonly insert: (id: string, site: StoredSite) => Promise<void>
  readonly update: (id: string, site: StoredSite) => Promise<void>
  readonly delete: (id: string) => Promise<void>
}

export function connectedSiteStore(store: DeviceStore): ConnectedSiteStore {
  const changeIds = (change: (ids: readonly string[]) => readonly string[]) =>
    store.update(SITES, (stored) => JSON.stringify(change(idsIn(stored))))

  return {
    async list() {
      const ids = idsIn(await store.read(SITES))
      const sites = await Promise.all(
        ids.map(async (id) => {
          const { data } = StoredSite.safeParse(parseJson(await store.read(siteKey(id))))
          return data === undefined ? [] : [[id, data] as const]
        }),
      )
      return sites.flat()
    },
    // The list first: a listed site without a value is ignored, a value that is not listed would never be removed.
    async insert(id, site) {
      await changeIds((ids) => [...ids, id])
      await store.update(siteKey(id), () => JSON.stringify(site))
    },
    update: (id, site) => store.update(siteKey(id), () => JSON.stringify(site)),
    async delete(id) {
      await store.update(siteKey(id), () => undefined)
      await changeIds((ids) => ids.filter((each) => each !== id))
    },
  }
}

function idsIn(stored: string | undefined): readonly string[] {
  return z.array(z.string()).safeParse(parseJson(stored)).data ?? []
}
