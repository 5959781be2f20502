/** A transaction decoded, in the JSON form of the REST interface. */
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { MsgCreateGroupWithPolicy, MsgSubmitProposal } from 'cosmjs-types/cosmos/group/v1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'

interface Codec<Decoded> {
  readonly typeUrl: string
  decode(bytes: Uint8Array): Decoded
  toJSON(decoded: Decoded): unknown
}

const reader = <Decoded>({ typeUrl, decode, toJSON }: Codec<Decoded>) =>
  [typeUrl, (bytes: Uint8Array) => toJSON(decode(bytes))] as const

const READERS: ReadonlyMap<string, (bytes: Uint8Array) => unknown> = new Map([
  reader(MsgSend),
  reader(MsgCreateGroupWithPolicy),
  reader(MsgSubmitProposal),
  reader(PubKey),
])

/** The transaction of its bytes. */
export function transactionJson(bytes: Uint8Array): Record<string, unknown> {
  const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(bytes)
  return {
    body: written(TxBody.toJSON(TxBody.decode(bodyBytes))),
    auth_info: written(AuthInfo.toJSON(AuthInfo.decode(authInfoBytes))),
    signatures: signatures.map((signature) => Buffer.from(signature).toString('base64')),
  }
}

/** Names get their underscores; whatever is packed is unpacked and says its type. */
function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written)
  if (typeof value !== 'object' || value === null) return value
  if (isAny(value)) return unpacked(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      written(part),
    ]),
  )
}

type AnyJson = { readonly typeUrl: Any['typeUrl']; readonly value: string }

function isAny(value: object): value is AnyJson {
  return 'typeUrl' in value && typeof value.typeUrl === 'string' && 'value' in value
}

function unpacked({ typeUrl, value }: AnyJson): unknown {
  const read = READERS.get(typeUrl)
  if (read === undefined) return { '@type': typeUrl, value }
  return Object.assign({ '@type': typeUrl }, written(read(Buffer.from(value, 'base64'))))
}
