import { loginPathBefore } from '@portico/rules/wallet-redirects'

/** The login page, returning to the wallet. */
export const LOGIN_PATH = loginPathBefore('/figure-wallet')
