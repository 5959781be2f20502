/**
 * `Refusal` for code that throws it in a browser, such as a wallet on this device: with the sentences of the catalog. The server's
 * answers contain theirs, so that the login page needs no catalog.
 */
import { ERROR_CATALOG } from './error-catalog.ts'
import { provideSentences } from './errors.ts'

export { Refusal } from './errors.ts'

provideSentences((code) => ERROR_CATALOG[code].message)
