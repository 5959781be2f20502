/** Replaces the text between two marker lines of a document. */
export function replaceBetween(
  text: string,
  begin: string,
  end: string,
  generated: string,
): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from)
    throw new Error(`The document does not contain the lines ${begin} and ${end}`)
  return `${text.slice(0, from + begin.length)}\n${generated}\n${text.slice(to)}`
}
