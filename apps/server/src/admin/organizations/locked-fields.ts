/** `ORGANIZATIONS_LOCKED`: the organizations and fields that only files can change. */

export interface LockedFields {
  /** Whether a field such as `companyInfo.name` is locked. */
  readonly has: (orgCode: string, field: string) => boolean
  /** Whether a whole organization is locked. */
  readonly hasOrganization: (orgCode: string) => boolean
  /** An organization's locked fields, as named in the setting; `*` for all. */
  readonly of: (orgCode: string) => readonly string[]
}

/** @param entries - `*`, `FIGURE`, `hosts` or `FIGURE.companyInfo.name`: an upper-case word is a code */
export function lockedFields(entries: readonly string[]): LockedFields {
  const locks = entries.map((entry) => {
    const [first = '', ...rest] = entry.split('.')
    const hasCode = first === '*' || /^[A-Z]/.test(first)
    const field = (hasCode ? rest : [first, ...rest]).join('.')
    return { code: hasCode ? first : '*', field: field === '' ? '*' : field }
  })
  const of = (orgCode: string) =>
    locks.filter(({ code }) => code === '*' || code === orgCode).map(({ field }) => field)
  const covers = (lock: string, field: string) =>
    lock === '*' || lock === field || field.startsWith(`${lock}.`) || lock.startsWith(`${field}.`)
  return {
    of,
    hasOrganization: (orgCode) => of(orgCode).includes('*'),
    has: (orgCode, field) => of(orgCode).some((lock) => covers(lock, field)),
  }
}
