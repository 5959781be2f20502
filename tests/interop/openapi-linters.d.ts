// Only this suite installs these packages, so their types may be missing in the type check.
declare module '@redocly/openapi-core' {
  export function createConfig(config: { extends: string[] }): Promise<object>
  export function lintFromString(options: {
    source: string
    config: object
  }): Promise<{ ruleId: string; message: string; location: { pointer?: string }[] }[]>
}

declare module '@stoplight/spectral-core' {
  const core: {
    Document: new (source: string, parser: object) => object
    Spectral: new () => {
      setRuleset(ruleset: { extends: object[] }): void
      run(document: object): Promise<{ code: string | number; message: string; path: unknown[] }[]>
    }
  }
  export default core
}

declare module '@stoplight/spectral-parsers' {
  const parsers: { Json: object }
  export default parsers
}

declare module '@stoplight/spectral-rulesets' {
  const rulesets: { oas: object }
  export default rulesets
}
