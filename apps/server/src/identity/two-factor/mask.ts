import { formatPhone } from '@portico/rules/phone'

const HIDDEN = '•••'

/** Masks an e-mail address for someone who has not yet proved that they own it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email
  return `${first}${HIDDEN}${email.slice(at)}`
}

/** Masks a phone number, except its last four digits, for someone who has not yet proved that they own it. */
export function maskPhone(phone: string): string {
  const last = phone.slice(-4)
  return formatPhone(phone) === phone ? `${HIDDEN} ${last}` : `(${HIDDEN}) ${HIDDEN}-${last}`
}
