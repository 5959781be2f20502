/**
 * Converts a node's response to the format for pages (protocol 9.3): `raw_log` becomes `rawLog`, and the names of
 * arrays get the suffix `List`.
 */
export function pageForm(response: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => {
      const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return Array.isArray(value)
        ? [`${camel}List`, value.map(convertNested)]
        : [camel, convertNested(value)]
    }),
  )
}

function convertNested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convertNested)
  if (typeof value !== 'object' || value === null) return value
  return pageForm({ ...value })
}
