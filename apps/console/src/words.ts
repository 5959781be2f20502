/** Times and numbers as operators read them, in the browser's language and time zone. */

export const dateText = (at: number): string =>
  new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' })

export const timeText = (at: number): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export const numberText = (value: number): string => value.toLocaleString()

export const percentText = (share: number, digits = 1): string =>
  share.toLocaleString(undefined, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
