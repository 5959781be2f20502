/**
 * JSON-RPC (protocol 5).
 *
 * An id is an opaque JSON number. Wallets in other languages use 64-bit ids, and `JSON.parse` rounds numbers
 * above 2^53. A parsed message therefore also keeps its id as it was written (`idText`), and a response repeats that text.
 */

import { RPC_ERRORS, type RpcError } from './errors.ts'
import { fieldsIn, parsedJson, textOf } from './fields.ts'

/** A request id. For received messages it may be rounded: use it only to match responses to own requests. */
export type RpcId = number

/** A JSON-RPC request. */
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

/** A request received from the peer. */
export interface ReceivedRequest extends Identified {
  readonly kind: 'request'
  readonly method: string
  readonly params: readonly unknown[]
}

/** A response received from the peer. */
export type ReceivedResponse =
  | (Identified & { readonly kind: 'success'; readonly result: unknown })
  | (Identified & { readonly kind: 'error' } & RpcError)

/** A message received from the peer. */
export type RpcMessage = ReceivedRequest | ReceivedResponse

/** Parses a message; `undefined` without a numeric id, or for a response without `result` and `error`. */
export function parseRpc(text: string): RpcMessage | undefined {
  const { id, method, params, result, error } = fieldsIn(parsedJson(text))
  if (typeof id !== 'number') return undefined
  const identified = { id, idText: Number.isSafeInteger(id) ? String(id) : writtenId(text) }
  if (typeof method === 'string') {
    return { kind: 'request', ...identified, method, params: Array.isArray(params) ? params : [] }
  }
  if (error !== undefined && error !== null) {
    return { kind: 'error', ...identified, ...errorIn(error) }
  }
  return result === undefined ? undefined : { kind: 'success', ...identified, result }
}

/** A random 53-bit request id, so that tabs and reloads do not collide. */
export function newRpcId(random: () => number = Math.random): RpcId {
  return Math.floor(random() * Number.MAX_SAFE_INTEGER) + 1
}

export function rpcRequest(id: RpcId, method: string, params: readonly unknown[]): RpcRequest {
  return { id, jsonrpc: '2.0', method, params }
}

/** Serializes a received request with its original id, so that it can be stored and parsed again. */
export function rpcRequestText({
  idText,
  method,
  params,
}: Pick<ReceivedRequest, 'idText' | 'method' | 'params'>): string {
  return `{"id":${idText},"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`
}

/** Serializes a success response. JSON has no `undefined`, and peers ignore a response without a result, so it becomes null. */
export function rpcSuccess({ idText }: Pick<Identified, 'idText'>, result: unknown): string {
  return `{"id":${idText},"jsonrpc":"2.0","result":${JSON.stringify(result) ?? 'null'}}`
}

/** Serializes an error response. */
export function rpcError(
  { idText }: Pick<Identified, 'idText'>,
  { code, message }: RpcError,
): string {
  return `{"id":${idText},"jsonrpc":"2.0","error":${JSON.stringify({ code, message })}}`
}

/** Some wallets send a plain string as the error. */
function errorIn(error: unknown): RpcError {
  const { code, message } = fieldsIn(error)
  return {
    code: typeof code === 'number' ? code : RPC_ERRORS.requestRejected.code,
    message: textOf(message) ?? textOf(error) ?? RPC_ERRORS.internalError.message,
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g

/** The literal of the last top-level `id` in a text that is known to be a JSON object with a numeric id. */
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
