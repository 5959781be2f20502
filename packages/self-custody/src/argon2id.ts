// A separate file, so that pages load this part of the library only when a passphrase is entered.
export { argon2id } from 'hash-wasm'
