import { textOf } from '../../protocol/fields.ts'
import { type GasPrice, sendTransactionRequest } from '../../protocol/methods.ts'
import type { SendMessageMethodResult } from '../broadcast-events.ts'
import { type Asking, type Operation, txResponseIn } from './operation.ts'

/** The methods a request can have. */
export type ProvenanceMethod = 'provenance_sign' | 'provenance_sendTransaction' | 'wallet_action'

/** What `sendMessage` takes. */
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

/** Asks to sign and broadcast a transaction. §5: one whose response carries a nonzero code has failed, the raw log being the error. */
export function sendMessage(
  { message, method, description = 'Send Message', ...terms }: SendMessageMethod,
  { id, now, address }: Asking,
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
    judge: (answer) => {
      // Wallets differ in what else they tell; the page reads it as it came.
      const result = answer as SendMessageMethodResult
      const { code, rawLog } = txResponseIn(answer)
      if (!code) return { valid: true, result }
      return {
        valid: false,
        result,
        error: textOf(rawLog) ?? `The transaction failed with code ${JSON.stringify(code)}`,
      }
    },
  }
}
