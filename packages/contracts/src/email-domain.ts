import { trimInvisible } from './characters.ts'
import { emailAddress } from './email-address.ts'

/** Normalizes the domain of e-mail addresses, in ASCII; undefined for an invalid one. */
export function emailDomain(text: string): string | undefined {
  return emailAddress(`a@${trimInvisible(text)}`)?.slice('a@'.length)
}
