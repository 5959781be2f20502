/**
 * What another server answers.
 *
 * @throws Error - where it is longer than is read
 */
export async function boundedBytes(response: Response, maximum: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maximum) throw new Error(`It answered more than ${maximum} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
