import type { Plugin } from 'vite'

const PUBLISHED = '@provenanceio/walletconnect-js'
const OURS = '@portico/wallet-connect/react'

/** In a module that is imported with `?library=ours`, the name of the public library means ours. */
export function replacedImport(): Plugin {
  return {
    name: 'replaced-import',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source !== PUBLISHED || !importer?.endsWith('?library=ours')) return undefined
      return this.resolve(OURS, importer)
    },
  }
}
