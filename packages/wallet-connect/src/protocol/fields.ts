/** The fields of a value that may be anything: none where it is no object. */
export function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : {}
}

/** The fields of a JSON object written as text: none where the text is something else. */
export function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  return fieldsIn(parsedJson(text))
}

// Nothing of the protocol nests as deep. What does can be read and not be written again, where the stack would end.
const LEVELS_MAXIMUM = 100

/** What a JSON text says, and `undefined` (which JSON cannot say) where it is no JSON, or one without a bottom. */
export function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isDeeper(value, LEVELS_MAXIMUM) ? undefined : value
  } catch {
    // Text of strangers: what cannot be read says nothing.
    return undefined
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1))
}

/** A text that is there and not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
