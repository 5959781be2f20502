/** The text up to this many letters; an ellipsis says that more follows. */
export function cutText(text: string, maximum: number): string {
  const letters = Array.from(text)
  return letters.length > maximum ? `${letters.slice(0, maximum).join('')}…` : text
}
