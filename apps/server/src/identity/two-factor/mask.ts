import { formatPhone } from '@portico/rules/phone'

const HIDDEN = '•••'

/** An e-mail address as somebody may see it who has not proved yet that it is theirs. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email
  return `${first}${HIDDEN}${email.slice(at)}`
}

/** A phone number as somebody may see it who has not proved yet that it is theirs: its last four digits. */
export function maskedPhone(phone: string): string {
  const last = phone.slice(-4)
  return formatPhone(phone) === phone ? `${HIDDEN} ${last}` : `(${HIDDEN}) ${HIDDEN}-${last}`
}
