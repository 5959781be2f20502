import type { Plugin } from 'vite'

/** The definitions of cosmjs-types, and what they import. */
const DEFINITIONS =
  /\/node_modules\/cosmjs-types\/(?:(?:cosmos|google|tendermint)\/.*|binary|helpers|utf8|varint)\.js$/

/** Messages that no wallet reads as JSON. */
const BYTES_ONLY = /\/cosmos\/(?:authz|crypto|tx)\//

export const UNUSED: readonly string[] = ['toJSON', 'fromPartial']

/**
 * Rewrites the definitions of cosmjs-types as ES modules without the functions that wallets do not use: `toJSON`,
 * `fromPartial` and, of some messages, `fromJSON`. They are published as CommonJS, which bundlers include as whole files:
 * every message of the chain's modules, not only those that a wallet supports.
 */
export function cosmosTypes(): Plugin {
  return {
    name: 'cosmos-types',
    transform: {
      filter: { id: DEFINITIONS },
      handler(code, id) {
        const unused = [...UNUSED, ...(BYTES_ONLY.test(id) ? ['fromJSON'] : [])]
        return { code: moduleOf(code, unused), map: null, moduleSideEffects: false }
      },
    },
  }
}

/** The same definitions as an ES module. Throws if they have an unexpected form. */
export function moduleOf(code: string, unused: readonly string[]): string {
  const functions: string[] = []
  const written = code
    .replace('"use strict";', '')
    .replace('Object.defineProperty(exports, "__esModule", { value: true });', '')
    .replace(/^(?:exports\.\w+ = )+void 0;$/m, '')
    .replaceAll(/^const (\w+) = require\("([^"]+)"\);$/gm, "import * as $1 from '$2.js';")
    .replaceAll(/^exports\.(\w+) = \1;$/gm, (_, name: string) => {
      functions.push(name)
      return ''
    })
    .replaceAll(/^exports\.(\w+) = /gm, 'export const $1 = ')
    .replaceAll(/^var (\w+);$/gm, 'export var $1;')
    .replaceAll(/exports\.(\w+) = \1 = \{\}/g, '$1 = {}')
    .replaceAll(new RegExp(`^    (?:${unused.join('|')})\\([\\s\\S]*?^    \\},$`, 'gm'), '')
    .replaceAll(/(?<!\.)\bexports\.(\w+)/g, '$1')
    // An enumeration that is not used can be left out.
    .replaceAll(
      /^export var (\w+);\n\(function \(\1\) \{\n([\s\S]*?)^\}\)\(\1 \|\| \(\1 = \{\}\)\);$/gm,
      'export const $1 = /* @__PURE__ */ (function ($1) {\n$2    return $1;\n})({});',
    )
  if (/\bexports\b|\brequire\(/.test(written)) throw new Error('These definitions are not known')
  return `${written}\nexport { ${functions.join(', ')} }\n`
}
