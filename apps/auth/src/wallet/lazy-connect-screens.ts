/** The connect and verify screens share one chunk, loaded while the user looks at the account list. */
import { part } from '@portico/shell/part'

const load = () => import('./connect-screens.ts')

export const ConnectScreen = part(async () => (await load()).ConnectScreen)
export const Verify = part(async () => (await load()).Verify)
