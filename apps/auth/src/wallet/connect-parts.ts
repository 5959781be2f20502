/** What connects a wallet and what verifies one: one file, fetched while the list that leads to it is looked at. */
import { part } from '@portico/shell/part'

const load = () => import('./connecting.ts')

export const ConnectScreen = part(async () => (await load()).ConnectScreen)
export const Verify = part(async () => (await load()).Verify)
