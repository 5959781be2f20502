// Only this suite installs these packages, so their types may be missing in the type check.
declare module '@cosmjs/amino' {
  export function encodeSecp256k1Pubkey(publicKey: Uint8Array): object
  export function pubkeyToAddress(publicKey: object, prefix: string): string
}

declare module '@cosmjs/crypto' {
  export function sha256(bytes: Uint8Array): Uint8Array
  export function stringToPath(path: string): readonly object[]
  export const Secp256k1Signature: { fromFixedLength(bytes: Uint8Array): object }
  export const Secp256k1: {
    verifySignature(signature: object, hash: Uint8Array, publicKey: Uint8Array): boolean
  }
}

declare module '@cosmjs/proto-signing' {
  interface SignDoc {
    readonly bodyBytes: Uint8Array
    readonly authInfoBytes: Uint8Array
    readonly chainId: string
    readonly accountNumber: bigint
  }
  export function makeSignDoc(
    bodyBytes: Uint8Array,
    authInfoBytes: Uint8Array,
    chainId: string,
    accountNumber: number,
  ): SignDoc
  export function makeSignBytes(document: SignDoc): Uint8Array
  export function decodeTxRaw(bytes: Uint8Array): {
    readonly body: {
      readonly memo: string
      readonly messages: readonly { readonly typeUrl: string; readonly value: Uint8Array }[]
    }
    readonly authInfo: { readonly signerInfos: readonly { readonly sequence: bigint }[] }
    readonly signatures: readonly Uint8Array[]
  }
  export class Registry {
    decode(message: { readonly typeUrl: string; readonly value: Uint8Array }): unknown
  }
  export class DirectSecp256k1HdWallet {
    static fromMnemonic(
      words: string,
      options: { readonly prefix: string; readonly hdPaths: readonly (readonly object[])[] },
    ): Promise<DirectSecp256k1HdWallet>
    getAccounts(): Promise<readonly { readonly address: string; readonly pubkey: Uint8Array }[]>
    signDirect(
      address: string,
      document: SignDoc,
    ): Promise<{ readonly signature: { readonly signature: string } }>
  }
}
