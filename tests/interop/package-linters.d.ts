// Only this suite installs these packages, so their types may be missing in the type check.
declare module 'publint' {
  export function publint(options: {
    readonly pack: { readonly tarball: ArrayBuffer }
    readonly strict: boolean
  }): Promise<{ messages: { code: string; path: string[] }[] }>
}

declare module '@arethetypeswrong/core' {
  export function createPackageFromTarballData(tarball: Uint8Array): object
  export function checkPackage(
    pkg: object,
    options: { readonly excludeEntrypoints: readonly RegExp[] },
  ): Promise<{ types: unknown; problems: { kind: string; resolutionKind?: string }[] }>
}
