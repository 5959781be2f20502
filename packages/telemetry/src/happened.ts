/** Something that happened on a page, before it is masked. */
export interface Happened {
  readonly event: string
  readonly eventType: string
  readonly pagePath: string
  readonly search: string
  readonly eventProperties?: Readonly<Record<string, string | number | boolean>>
  readonly dontDedupe?: boolean
  readonly dedupeProperty?: string
}
