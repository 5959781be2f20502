/** The properties of a stored JSON object; empty if it is not valid JSON. The caller validates each property. */
export function parsedJson(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text ?? '') ?? {}) as Readonly<Record<string, unknown>>
  } catch {
    // Written by other code, or truncated.
    return {}
  }
}
