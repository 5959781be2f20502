/**
 * The text layer: what differs between two ways to type, paste or send the same text. Readers of e-mail addresses, phone
 * numbers, passcodes, names and domains build on it, in pages and on the server. It never merges letters that only look
 * alike: `раypal` in Cyrillic letters stays another name.
 */

/**
 * Without white space and format characters at its edges, which come along with copied text. A name in an older spelling of
 * Malayalam or Sinhala may end in a virama and a joiner.
 */
export function trimInvisible(text: string): string {
  return text.replace(
    /^[\s\p{Cf}]+|(?<![\s\p{Cf}])((?<=[\u0d4d\u0dca])\u200d)?[\s\p{Cf}]*$/gu,
    '$1',
  )
}

/** A text in which the decimal digits of every script are 0 to 9. */
export function plainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    // Unicode assigns decimal digits in runs from zero to nine.
    let value = 0
    while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - value - 1))) value += 1
    return `${value % 10}`
  })
}

/**
 * Characters that no one types into a field: control, format, private-use, unassigned and ignorable characters, lone
 * surrogates, and the line and paragraph separators. Signs stay where they choose the form of a letter: a joiner or non-joiner
 * after a virama of India or Sri Lanka, a non-joiner between Arabic letters (RFC 5892 A.1 and A.2; Persian also writes it after letters that never
 * connect), the joiner in the ya-phalaa of Bengali, and variation selectors after Han, Mongolian and pictures.
 */
export const INVISIBLE =
  /(?![\u200c\u200d\p{VS}])[\p{C}\p{Zl}\p{Zp}\p{DI}]|(?<![\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])(?!(?<=\p{sc=Arab}\p{M}*)\u200c\p{sc=Arab}|(?<=\u09b0)\u200d\u09cd)[\u200c\u200d]|(?<![\p{sc=Han}\p{sc=Mong}\p{ExtPict}])\p{VS}/gu

/** Whether a text contains invisible characters, which can make two texts look alike. */
export function hasInvisibleCharacters(text: string): boolean {
  return text.search(INVISIBLE) >= 0
}

/**
 * One line as it reads: composed (NFC), with plain spaces, and without invisible edges. An invisible character inside stays,
 * for the reader to refuse: it can make two names look alike.
 */
export function plainLine(text: string): string {
  return trimInvisible(text.normalize('NFC').replace(/[\t\p{Zs}]/gu, ' '))
}
