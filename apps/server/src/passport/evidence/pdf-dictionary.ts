/**
 * Reads the dictionary of a PDF stream (ISO 32000, 7.3), strictly: what readers could understand in another way is not
 * accepted. Comments are not, because they could hide the beginning of the object.
 */

export type PdfValue =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'array'; readonly items: readonly PdfValue[] }
  | { readonly kind: 'dictionary'; readonly entries: PdfDictionary }
  /** A reference, a string, a boolean or null. */
  | { readonly kind: 'other' }

/** Values by their keys without the slash, with escapes decoded. */
export type PdfDictionary = ReadonlyMap<string, PdfValue>

/** Longer than the dictionary of any stream in a real document. */
const MAX_DICTIONARY_LENGTH = 64 * 1024
const MAX_DEPTH = 20

const SPACE = String.raw`[\0\t\n\f\r ]`
const OBJECT_BEGINNING = new RegExp(`(?:^|[^0-9])\\d{1,10}${SPACE}+\\d{1,10}${SPACE}+obj$`)
const TOKEN = new RegExp(
  [
    String.raw`(?<open><<|\[)`,
    String.raw`(?<close>>>|\])`,
    String.raw`/(?<name>[^\0\t\n\f\r ()<>[\]{}/%]*)`,
    String.raw`(?<reference>\d{1,10}${SPACE}+\d{1,10}${SPACE}+R(?![^\0\t\n\f\r ()<>[\]{}/%]))`,
    String.raw`(?<number>[+-]?(?:\d+\.?\d*|\.\d+)(?![^\0\t\n\f\r ()<>[\]{}/%]))`,
    String.raw`(?<word>(?:true|false|null)(?![^\0\t\n\f\r ()<>[\]{}/%]))`,
    String.raw`(?<hex><[0-9A-Fa-f\0\t\n\f\r ]*>)`,
    String.raw`(?<string>\()`,
  ].join('|'),
  'y',
)
const SPACES = new RegExp(`${SPACE}*`, 'y')

/** The dictionary that ends before `end`; undefined if there is none, or if it is not certain which one readers see. */
export function dictionaryBefore(text: string, end: number): PdfDictionary | undefined {
  const from = Math.max(0, end - MAX_DICTIONARY_LENGTH)
  const window = text.slice(from, end)
  const keyword = window.lastIndexOf('obj')
  if (keyword === -1) return undefined
  const start = keyword + 'obj'.length
  const line = Math.max(window.lastIndexOf('\n', keyword), window.lastIndexOf('\r', keyword)) + 1
  if (
    window.includes('%', line) ||
    !OBJECT_BEGINNING.test(window.slice(line > 32 ? line - 32 : 0, start))
  )
    return undefined
  const reader = new Reader(window.slice(start))
  const value = reader.read(0)
  return value?.kind === 'dictionary' && reader.isAtEnd() ? value.entries : undefined
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    this.#skipSpaces()
    return this.#at === this.#text.length
  }

  read(depth: number): PdfValue | undefined {
    const token = depth > MAX_DEPTH ? undefined : this.#token()
    if (token === undefined) return undefined
    if (token['open'] === '[') return this.#array(depth)
    if (token['open'] === '<<') return this.#dictionary(depth)
    if (token['name'] !== undefined) return { kind: 'name', name: decodedName(token['name']) }
    if (token['number'] !== undefined) return { kind: 'number', value: Number(token['number']) }
    if (token['string'] !== undefined) return this.#skipString() ? { kind: 'other' } : undefined
    return token['close'] === undefined ? { kind: 'other' } : undefined
  }

  #array(depth: number): PdfValue | undefined {
    const items: PdfValue[] = []
    while (!this.#skip(']')) {
      const item = this.read(depth + 1)
      if (item === undefined) return undefined
      items.push(item)
    }
    return { kind: 'array', items }
  }

  #dictionary(depth: number): PdfValue | undefined {
    const entries = new Map<string, PdfValue>()
    while (!this.#skip('>>')) {
      const key = this.read(depth + 1)
      const value = key?.kind === 'name' ? this.read(depth + 1) : undefined
      // Readers differ in which of two equal keys counts.
      if (key?.kind !== 'name' || value === undefined || entries.has(key.name)) return undefined
      entries.set(key.name, value)
    }
    return { kind: 'dictionary', entries }
  }

  #skip(close: string): boolean {
    this.#skipSpaces()
    if (!this.#text.startsWith(close, this.#at)) return false
    this.#at += close.length
    return true
  }

  #skipSpaces(): void {
    SPACES.lastIndex = this.#at
    SPACES.exec(this.#text)
    this.#at = SPACES.lastIndex
  }

  #token(): Record<string, string | undefined> | undefined {
    this.#skipSpaces()
    TOKEN.lastIndex = this.#at
    const groups = TOKEN.exec(this.#text)?.groups
    if (groups !== undefined) this.#at = TOKEN.lastIndex
    return groups
  }

  /** Strings nest, and a backslash escapes the next character. */
  #skipString(): boolean {
    let open = 1
    for (; open > 0; this.#at += 1) {
      const character = this.#text[this.#at]
      if (character === undefined) return false
      if (character === '\\') this.#at += 1
      else if (character === '(') open += 1
      else if (character === ')') open -= 1
    }
    return true
  }
}

/** In a name, `#` and two hexadecimal digits stand for a character. */
const decodedName = (name: string) =>
  name.replace(/#([0-9A-Fa-f]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
