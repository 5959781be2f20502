/**
 * Reads the objects of a PDF (ISO 32000, 7.3) forward from where they begin, as readers do, and strictly: an object that readers
 * could understand in another way is not read.
 */

export type PdfValue =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'array'; readonly items: readonly PdfValue[] }
  | { readonly kind: 'dictionary'; readonly entries: PdfDictionary }
  /** The value is in another object, which a later part of the file can replace. */
  | { readonly kind: 'reference' }
  | { readonly kind: 'null' }
  /** A string, a boolean, or a number with a misplaced sign. */
  | { readonly kind: 'other' }

/** Values by their keys without the slash, with escapes decoded. */
export type PdfDictionary = ReadonlyMap<string, PdfValue>

export interface PdfObject {
  /** The position after the value, and after white space and comments. */
  readonly end: number
  /** Undefined if the value is something else. */
  readonly dictionary: PdfDictionary | undefined
  /** Whether every reader sees the same dictionary and the same next word: no comments, and no key twice. */
  readonly isCertain: boolean
}

const MAX_DEPTH = 100

const SPACE = String.raw`[\0\t\n\f\r ]`
const WORD_END = String.raw`(?![^\0\t\n\f\r ()<>[\]{}/%])`
/** Lengths are limited, so no token takes long to recognize. */
const TOKEN = new RegExp(
  [
    String.raw`(?<open><<|\[)`,
    String.raw`/(?<name>[^\0\t\n\f\r ()<>[\]{}/%]{0,1024})${WORD_END}`,
    String.raw`(?<reference>\d{1,10}${SPACE}{1,32}\d{1,10}${SPACE}{1,32}R)${WORD_END}`,
    String.raw`(?<number>[+-]?(?:\d{1,64}\.?\d{0,64}|\.\d{1,64}))${WORD_END}`,
    // Some producers write these, and readers agree that each is one number.
    String.raw`(?<oddNumber>[+-]{0,2}(?:\d{1,64}\.?\d{0,64}|\.\d{1,64})(?:-\d{0,64})?)${WORD_END}`,
    String.raw`(?<nothing>null)${WORD_END}`,
    String.raw`(?<word>true|false)${WORD_END}`,
    String.raw`(?<hex><)`,
    String.raw`(?<string>\()`,
  ].join('|'),
  'y',
)
const OTHER: PdfValue = { kind: 'other' }
const HEX_DIGIT = /[0-9A-Fa-f\0\t\n\f\r ]/

/** Reads the object whose value begins at `start`; undefined if it is not certain where it ends. */
export function objectAt(text: string, start: number): PdfObject | undefined {
  const reader = new Reader(text, start)
  const isEmpty = reader.startsWith('endobj')
  const value = isEmpty ? OTHER : reader.read(0)
  if (value === undefined) return undefined
  const end = reader.skipSpaces()
  const dictionary = value.kind === 'dictionary' ? value.entries : undefined
  return { end, dictionary, isCertain: reader.isCertain }
}

class Reader {
  readonly #text: string
  #at: number
  isCertain = true

  constructor(text: string, start: number) {
    this.#text = text
    this.#at = start
  }

  read(depth: number): PdfValue | undefined {
    const token = depth > MAX_DEPTH ? undefined : this.#token()
    if (token === undefined) return undefined
    if (token['open'] === '[') return this.#array(depth)
    if (token['open'] === '<<') return this.#dictionary(depth)
    if (token['name'] !== undefined) return { kind: 'name', name: decodedName(token['name']) }
    if (token['number'] !== undefined) return { kind: 'number', value: Number(token['number']) }
    if (token['reference'] !== undefined) return { kind: 'reference' }
    if (token['nothing'] !== undefined) return { kind: 'null' }
    if (token['string'] !== undefined) return this.#skipString() ? OTHER : undefined
    if (token['hex'] !== undefined) return this.#skipHexString() ? OTHER : undefined
    return OTHER
  }

  /** Skips white space and comments; returns where they end. */
  skipSpaces(): number {
    for (; ; this.#at += 1) {
      const character = this.#text[this.#at]
      if (character === '%') {
        this.isCertain = false
        this.#skipLine()
      } else if (character === undefined || !SPACES.has(character)) {
        return this.#at
      }
    }
  }

  startsWith(word: string): boolean {
    return this.#text.startsWith(word, this.skipSpaces())
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
      if (key?.kind !== 'name' || value === undefined) return undefined
      // Readers differ in which of two equal keys counts.
      if (entries.has(key.name)) this.isCertain = false
      entries.set(key.name, value)
    }
    return { kind: 'dictionary', entries }
  }

  #skip(close: string): boolean {
    if (!this.startsWith(close)) return false
    this.#at += close.length
    return true
  }

  #skipLine(): void {
    while (this.#at < this.#text.length && !/[\n\r]/.test(this.#text[this.#at] ?? '')) this.#at += 1
  }

  #token(): Record<string, string | undefined> | undefined {
    TOKEN.lastIndex = this.skipSpaces()
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

  #skipHexString(): boolean {
    while (HEX_DIGIT.test(this.#text[this.#at] ?? '')) this.#at += 1
    this.#at += 1
    return this.#text[this.#at - 1] === '>'
  }
}

const SPACES: ReadonlySet<string> = new Set('\0\t\n\f\r ')

/** In a name, `#` and two hexadecimal digits stand for a character. */
const decodedName = (name: string) =>
  name.replace(/#([0-9A-Fa-f]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
