/** The connect and verify screens share one chunk, loaded while the user looks at the account list. */
import { lazyComponent } from '@portico/shell/lazy-component'

const load = () => import('./connect-screens.ts')

export const ConnectScreen = lazyComponent(async () => (await load()).ConnectScreen)
export const Verify = lazyComponent(async () => (await load()).Verify)
