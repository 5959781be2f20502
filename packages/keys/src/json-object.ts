const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/**
 * Parses a JSON object and rejects duplicate names. Parsers differ in which duplicate they use, and a token may be verified
 * by one parser and used by another (RFC 7519, 4).
 */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (countNames(text) !== Object.keys(value).length) return undefined
  // A JSON value that is an object and not an array is a record.
  return value as Record<string, unknown>
}

/** Parses untrusted JSON; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Counts the names of the outermost object of a valid JSON text, including duplicates. */
function countNames(text: string): number {
  let depth = 0
  let names = 0
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (token === ':' && depth === 1) names += 1
  }
  return names
}
