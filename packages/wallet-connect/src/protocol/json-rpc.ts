/**
 * JSON-RPC as the two sides speak it (protocol 5).
 *
 * An id is an opaque JSON number. Wallets in other languages count in 64 bits, and `JSON.parse` rounds whatever is
 * above 2^53; so a message read here also keeps its id as it was written (`idText`), and an answer repeats that text.
 */

import { RPC_ERRORS, type RpcErrorName } from './errors.ts'
import { fieldsIn, parsedJson, textOf } from './fields.ts'

/** The id of a request this side makes; of one it received, only good for comparing with its own. */
export type RpcId = number

/** A request as it goes over the wire. */
export interface RpcRequest {
  readonly id: RpcId
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params: readonly unknown[]
}

interface Identified {
  readonly id: RpcId
  /** The id as the sender wrote it. */
  readonly idText: string
}

/** A request that arrived. */
export interface ReceivedRequest extends Identified {
  readonly kind: 'request'
  readonly method: string
  readonly params: readonly unknown[]
}

/** An answer that arrived. */
export type ReceivedAnswer =
  | (Identified & { readonly kind: 'success'; readonly result: unknown })
  | (Identified & { readonly kind: 'error' } & RpcErrorName)

/** Whatever arrived. */
export type RpcMessage = ReceivedRequest | ReceivedAnswer

/** Reads a message. A success without a `result` is none, and neither is anything without a numeric id. */
export function parseRpc(text: string): RpcMessage | undefined {
  const { id, method, params, result, error } = fieldsIn(parsedJson(text))
  if (typeof id !== 'number') return undefined
  const identified = { id, idText: Number.isSafeInteger(id) ? String(id) : writtenId(text) }
  if (typeof method === 'string') {
    return { kind: 'request', ...identified, method, params: Array.isArray(params) ? params : [] }
  }
  if (error !== undefined && error !== null) {
    return { kind: 'error', ...identified, ...faultIn(error) }
  }
  return result === undefined ? undefined : { kind: 'success', ...identified, result }
}

/** A fresh request id: 53 bits of chance, so that two tabs or a reload never use the same one. */
export function newRpcId(random: () => number = Math.random): RpcId {
  return Math.floor(random() * Number.MAX_SAFE_INTEGER) + 1
}

/** Puts a request together. */
export function rpcRequest(id: RpcId, method: string, params: readonly unknown[]): RpcRequest {
  return { id, jsonrpc: '2.0', method, params }
}

/** Writes a request that arrived, its id as it was written, so that it can be read once more. */
export function rpcRequestText({
  idText,
  method,
  params,
}: Pick<ReceivedRequest, 'idText' | 'method' | 'params'>): string {
  return `{"id":${idText},"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`
}

/** Writes the answer to a request. JSON has no `undefined`, and an answer without a result would never be heard. */
export function rpcSuccess({ idText }: Pick<Identified, 'idText'>, result: unknown): string {
  return `{"id":${idText},"jsonrpc":"2.0","result":${JSON.stringify(result) ?? 'null'}}`
}

/** Writes the refusal of a request. */
export function rpcError(
  { idText }: Pick<Identified, 'idText'>,
  { code, message }: RpcErrorName,
): string {
  return `{"id":${idText},"jsonrpc":"2.0","error":${JSON.stringify({ code, message })}}`
}

/** Some wallets answer with a bare text for an error. */
function faultIn(error: unknown): RpcErrorName {
  const { code, message } = fieldsIn(error)
  return {
    code: typeof code === 'number' ? code : RPC_ERRORS.requestRejected.code,
    message: textOf(message) ?? textOf(error) ?? RPC_ERRORS.internalError.message,
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g

/** The token of the last `id` on the outermost level of a text that is known to be a JSON object with a numeric id. */
function writtenId(text: string): string {
  const tokens = text.match(TOKEN) ?? []
  let depth = 0
  let written = ''
  for (const [index, token] of tokens.entries()) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (depth === 1 && token === ':' && parsedJson(tokens[index - 1] ?? '') === 'id') {
      written = tokens[index + 1] ?? ''
    }
  }
  return written
}
