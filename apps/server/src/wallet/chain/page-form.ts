/** A node's answer in the names that pages know (protocol 9.3): `raw_log` becomes `rawLog`, and lists are called lists. */
export function pageForm(response: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => {
      const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return Array.isArray(value) ? [`${camel}List`, value.map(inside)] : [camel, inside(value)]
    }),
  )
}

function inside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inside)
  if (typeof value !== 'object' || value === null) return value
  return pageForm({ ...value })
}
