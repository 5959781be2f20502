/** An event on a page, before masking. */
export interface PageEvent {
  readonly event: string
  readonly eventType: string
  readonly pagePath: string
  readonly search: string
  readonly eventProperties?: Readonly<Record<string, string | number | boolean>>
  readonly dontDedupe?: boolean
  readonly dedupeProperty?: string
}
