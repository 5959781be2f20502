/** The fields of a value that may be anything: none where it is no object. */
export function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : {}
}

/** The fields of a JSON object written as text: none where the text is something else. */
export function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  return fieldsIn(parsedJson(text))
}

/** What a JSON text says, and `undefined` (which JSON cannot say) where it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Text of strangers: what cannot be read says nothing.
    return undefined
  }
}

/** A text that is there and not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
