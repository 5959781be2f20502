/** The fields of a stored text; none where it is not one of ours. Each is checked by whoever takes it. */
export function parsedJson(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text ?? '') ?? {}) as Readonly<Record<string, unknown>>
  } catch {
    // Written by somebody else, or cut off.
    return {}
  }
}
