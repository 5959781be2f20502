/** The ways to write a sign-in text that a site could read like the text itself, each with its name. */
export function spellingsOf(text: string): readonly (readonly [string, Uint8Array])[] {
  const utf8 = (written: string) => new TextEncoder().encode(written)
  const utf16 = (order: 'BE' | 'LE') =>
    Uint8Array.from(
      codeUnits(text).flatMap((code) =>
        order === 'BE' ? [code >> 8, code & 255] : [code & 255, code >> 8],
      ),
    )
  const within = (character: string) => utf8(text.replace(/^(\w{2})/, `$1${character}`))
  return [
    ...['\0', '\u0007', '\u001b', '\u200b', '\u202e', '\ufeff'].map(
      (character) => [`after ${escape(character)}`, utf8(`${character}${text}`)] as const,
    ),
    ...['\0', '\u00ad', '\u200b', '\u034f', '\ufe0f'].map(
      (character) => [`with ${escape(character)} in a word`, within(character)] as const,
    ),
    ['with zero bytes between words', utf8(text.replaceAll(' ', '\0'))],
    ['with line breaks between words', utf8(text.replaceAll(' ', '\n'))],
    ['after other words', utf8(`I agree to the terms. ${text}`)],
    ['after an invalid byte', Uint8Array.of(0xe2, ...utf8(text))],
    ['in UTF-16, big-endian', utf16('BE')],
    ['in UTF-16, little-endian', utf16('LE')],
    ['in hex', utf8(Buffer.from(text).toString('hex'))],
    ['in hex with its prefix', utf8(`0x${Buffer.from(text).toString('hex').toUpperCase()}`)],
    ['in base64', utf8(Buffer.from(text).toString('base64'))],
    ['in base64url', utf8(`${Buffer.from(text).toString('base64url')}\n`)],
    ['in full-width letters', utf8(text.replace(/^\w+/, (word) => toFullWidth(word)))],
  ]
}

const escape = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

const toFullWidth = (word: string) =>
  String.fromCharCode(...codeUnits(word).map((code) => code + 0xfee0))

const codeUnits = (text: string) =>
  Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
