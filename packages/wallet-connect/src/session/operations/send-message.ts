import { textOf } from '../../protocol/fields.ts'
import { type GasPrice, sendTransactionRequest } from '../../protocol/methods.ts'
import type { SendMessageMethodResult } from '../broadcast-events.ts'
import { type Operation, type OperationContext, txResponseIn } from './operation.ts'

/** The methods of a request. */
export type ProvenanceMethod = 'provenance_sign' | 'provenance_sendTransaction' | 'wallet_action'

/** The options of `sendMessage`. */
export interface SendMessageMethod {
  readonly customId?: string
  readonly description?: string
  readonly extensionOptions?: string[]
  readonly feeGranter?: string
  readonly feePayer?: string
  readonly gasPrice?: GasPrice
  readonly memo?: string
  /** Each a base64 `Any`; all go into one transaction. */
  readonly message: string | string[]
  readonly method?: ProvenanceMethod
  readonly nonCriticalExtensionOptions?: string[]
  readonly timeoutHeight?: number
}

/** Signs and broadcasts a transaction. §5: a response with a nonzero code is a failure with the raw log as error. */
export function sendMessage(
  { message, method, description = 'Send Message', ...terms }: SendMessageMethod,
  { id, now, address }: OperationContext,
): Operation<SendMessageMethodResult> {
  const messages = [message].flat()
  const request = sendTransactionRequest({
    id,
    messages,
    description,
    address,
    date: now,
    ...terms,
  })
  return {
    method: 'sendMessage',
    request: method === undefined ? request : { ...request, method },
    customId: terms.customId,
    outcomeOf: (response) => {
      // Wallets differ in their other fields; the page receives them unparsed.
      const result = response as SendMessageMethodResult
      const { code, rawLog } = txResponseIn(response)
      if (!code) return { valid: true, result }
      return {
        valid: false,
        result,
        error: textOf(rawLog) ?? `The transaction failed with code ${JSON.stringify(code)}`,
      }
    },
  }
}
