import { escapeInvisible } from '@portico/contracts/invisible-characters'

/**
 * Text that a page, the chain or another user supplied. Its direction does not affect the text around it, and characters that are
 * invisible or change the direction are shown as their code.
 */
export function UntrustedText({ children }: { children: string }) {
  return <bdi dir="auto">{escapeLines(children)}</bdi>
}

const escapeLines = (text: string) => text.split(/\r?\n/).map(escapeInvisible).join('\n')
