/** Parses untrusted JSON; undefined, which is not a JSON value, if the text is missing or invalid. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
