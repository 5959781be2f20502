/**
 * An operator's changes to an organization, stored as the fields that differ from its file, so that all other fields follow
 * the file. Fields are named by their path, such as `companyInfo.name`.
 */

/** The content of an organization file, parsed or as an operator entered it. */
export type OrganizationDocument = Readonly<Record<string, unknown>>

/** Values by field. */
export type FieldValues = Readonly<Record<string, unknown>>

export interface OrganizationChanges {
  /** The values that differ from those of the file. */
  readonly set: FieldValues
  /** The file's fields that are removed, so that they are inherited. */
  readonly removed: readonly string[]
}

export const NO_CHANGES: OrganizationChanges = { set: {}, removed: [] }

/** A field whose value differs between two documents; undefined where a document lacks it. */
export interface FieldDifference {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** Fields that are inherited, and therefore changed, individually. */
const GROUPS: ReadonlySet<string> = new Set(['companyInfo', 'behaviors', 'wallet'])

/** A document's fields by path. A group that is not an object is treated as a field, which the schema rejects. */
export function fieldsOf(document: OrganizationDocument): FieldValues {
  return Object.fromEntries(
    Object.entries(document).flatMap(([name, value]) =>
      GROUPS.has(name) && isObject(value)
        ? Object.entries(value).map(([part, each]) => [`${name}.${part}`, each])
        : [[name, value]],
    ),
  )
}

export function changesBetween(
  file: OrganizationDocument,
  document: OrganizationDocument,
): OrganizationChanges {
  const differences = differencesBetween(file, document)
  return {
    set: Object.fromEntries(
      differences
        .filter(({ after }) => after !== undefined)
        .map(({ field, after }) => [field, after]),
    ),
    removed: differences.filter(({ after }) => after === undefined).map(({ field }) => field),
  }
}

/** Applies changes to a file. Locked fields keep the value of the file. */
export function applyChanges(
  file: OrganizationDocument,
  { set, removed }: OrganizationChanges,
  isLocked: (field: string) => boolean = () => false,
): OrganizationDocument {
  const fields = new Map(Object.entries(fieldsOf(file)))
  for (const field of removed) if (!isLocked(field)) fields.delete(field)
  for (const [field, value] of Object.entries(set)) if (!isLocked(field)) fields.set(field, value)
  return documentOf(fields)
}

/** The fields that differ, ordered by name. */
export function differencesBetween(
  before: OrganizationDocument,
  after: OrganizationDocument,
): readonly FieldDifference[] {
  const [one, other] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .sort()
    .map((field) => ({ field, before: own(one, field), after: own(other, field) }))
    .filter((each) => !isEqual(each.before, each.after))
}

function documentOf(fields: Iterable<readonly [string, unknown]>): OrganizationDocument {
  const document: Record<string, unknown> = {}
  for (const [field, value] of fields) {
    const [name = '', part] = field.split('.')
    if (part === undefined || !GROUPS.has(name)) document[field] = value
    else document[name] = { ...(document[name] as object | undefined), [part]: value }
  }
  return document
}

const own = (fields: FieldValues, field: string): unknown =>
  Object.hasOwn(fields, field) ? fields[field] : undefined

/** Compares JSON values; the order of an object's fields does not matter. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isEqual(each, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return one === other
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
