import { loginFirst } from '@portico/rules/wallet-redirects'

/** The login that comes back to the wallet. */
export const LOGIN_PATH = loginFirst('/figure-wallet')
