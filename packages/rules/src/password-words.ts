/** Words that an attacker tries first for this account: the person's and the lender's own. They add nothing to a password. */

/** Shorter words occur in too many others. */
const MIN_LENGTH = 4

/** Symbols that replace letters. */
export const SYMBOL_LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

/** The words of an email address and of the lender's names, longest first. */
export function passwordWords(email: string, companyNames: readonly string[]): string[] {
  const [local = '', domain = ''] = email.split('@')
  const texts = [local, domain.split('.').slice(0, -1).join(' '), ...companyNames].map(plain)
  const words = texts.flatMap((text) => [
    text.replace(/[^\p{L}\p{N}]+/gu, ''),
    ...text.split(/[^\p{L}]+/u),
  ])
  return [...new Set([plain(email), plain(local), ...words])]
    .filter((word) => word.length >= MIN_LENGTH)
    .sort((one, other) => other.length - one.length)
}

/** What is left of a password without these words, in any case and with symbols for letters. */
export function withoutWords(password: string, words: readonly string[]): string {
  // Character by character, so that positions in both forms are the same.
  const characters = Array.from(password)
  const forms = [
    characters.map((character) => plain(character).charAt(0) || character),
    characters.map(
      (character) => SYMBOL_LETTERS[character] ?? (plain(character).charAt(0) || character),
    ),
  ]
  const isOwn = characters.map(() => false)
  for (const form of forms) {
    const text = form.map((character) => character.charAt(0)).join('')
    for (const word of words) {
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
        isOwn.fill(true, at, at + word.length)
      }
    }
  }
  return characters.filter((_, index) => !isOwn[index]).join('')
}

/** Lower case, without accents. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
