/** The headers of a `Request` or a Node request. */
export type RequestHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export function headerOf(headers: RequestHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const value = (headers as Exclude<RequestHeaders, Pick<Headers, 'get'>>)[name]
  return typeof value === 'object' ? value.join(', ') : value
}

/** The cookies of a request, by name. */
export function cookiesOf(headers: RequestHeaders): ReadonlyMap<string, string> {
  const pairs = (headerOf(headers, 'cookie') ?? '').split(';')
  return new Map(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [name.trim(), value.join('=').trim()] as const
    }),
  )
}
