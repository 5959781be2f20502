/**
 * Reads a response body of limited size.
 *
 * @throws Error - when the body exceeds `maximum` bytes
 */
export async function readBoundedBytes(response: Response, maximum: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maximum) throw new Error(`The response exceeds ${maximum} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
