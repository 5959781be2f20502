const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/**
 * A JSON object whose names each occur once, or nothing. A name that occurs twice is refused because parsers differ in
 * which of the two they take, and one that checks a token and one that uses it may not be the same (RFC 7519, 4).
 */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (namesIn(text) !== Object.keys(value).length) return undefined
  // An object that is no list is a record of what nobody has looked at yet.
  return value as Record<string, unknown>
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How many names the outermost object of a valid JSON text has, each occurrence counted. */
function namesIn(text: string): number {
  let depth = 0
  let names = 0
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (token === ':' && depth === 1) names += 1
  }
  return names
}
