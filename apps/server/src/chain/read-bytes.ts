import { ChainFailure } from './chain-failure.ts'

/**
 * What bytes say in a form of the chain.
 *
 * @throws ChainFailure - `tx-parse`
 */
export function readBytes<Decoded>(
  form: { readonly typeUrl: string; decode(bytes: Uint8Array): Decoded },
  bytes: Uint8Array,
): Decoded {
  try {
    return form.decode(bytes)
  } catch {
    throw new ChainFailure('tx-parse', `${form.typeUrl} cannot be read`)
  }
}
