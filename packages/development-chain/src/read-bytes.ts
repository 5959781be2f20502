import { ChainFailure } from './chain-failure.ts'

/**
 * Decodes protobuf bytes.
 *
 * @throws ChainFailure - `tx-parse`
 */
export function readBytes<Decoded>(
  codec: { readonly typeUrl: string; decode(bytes: Uint8Array): Decoded },
  bytes: Uint8Array,
): Decoded {
  try {
    return codec.decode(bytes)
  } catch {
    throw new ChainFailure('tx-parse', `${codec.typeUrl} cannot be read`)
  }
}
