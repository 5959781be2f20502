/**
 * Gives each `Refusal` the sentence of the catalog. Imported once by applications that show refusals of their own, such as a wallet on this
 * device. Others need no catalog: the server's answers contain their sentences, and the extension's worker sends codes to its windows.
 */
import { ERROR_CATALOG } from './error-catalog.ts'
import { provideSentences } from './errors.ts'

provideSentences((code) => ERROR_CATALOG[code].message)
