// A file of its own, so that pages load this part of the library when a passphrase is entered.
export { argon2id } from 'hash-wasm'
