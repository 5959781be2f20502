/** What a stored text holds; nothing where it is none of ours. */
export function parsedJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    // Written by somebody else, or cut off.
    return undefined
  }
}
