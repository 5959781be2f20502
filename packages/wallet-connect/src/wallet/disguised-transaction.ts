/**
 * A signature over a message and a signature over a transaction are made the same way, SHA-256 and nothing else. So a
 * page could have a transaction signed under the name of a harmless message. Bytes that a chain would take for a
 * transaction to sign are therefore not signed as a message at all.
 */
import { fieldsOf } from '../protocol/fields.ts'
import { protobufFields } from '../protocol/protobuf.ts'

/** Whether a chain would take these bytes for a transaction to sign, in its binary or its JSON form. */
export function isDisguisedTransaction(bytes: Uint8Array): boolean {
  return isSignDoc(bytes) || isAminoSignDoc(bytes)
}

/** `SignDoc` (body; fees and signers; chain; account number) and its variant for auxiliary signers. */
function isSignDoc(bytes: Uint8Array): boolean {
  const fields = protobufFields(bytes) ?? []
  const holds = (wanted: number) =>
    fields.some(({ number, value }) => number === wanted && value instanceof Uint8Array)
  return holds(1) && holds(2) && fields.every(({ number }) => number <= 6)
}

/** The older form: JSON with the messages and the fee. */
function isAminoSignDoc(bytes: Uint8Array): boolean {
  const fields = fieldsOf(new TextDecoder().decode(bytes))
  return ['chain_id', 'fee', 'msgs'].every((name) => Object.hasOwn(fields, name))
}
