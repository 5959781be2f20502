import type { Plugin } from 'vite'

const PUBLISHED = '@provenanceio/walletconnect-js'
const OURS = '@portico/wallet-connect/react'

/** In a module imported with `?library=ours`, the public library's name resolves to ours. */
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
