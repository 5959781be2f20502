import type * as z from 'zod/mini'

/** Fields whose absence would make the rest look, or refer to, something that its owner did not write. */
const MEANINGFUL =
  /^(?:(?:orgCode|canonicalOrgCode|extends|orgBrand|brandColor|darkBrandColor|partner|styleSheetPath)(?:\.|$)|companyInfo(?:\.(?:name|logoPath|darkLogoPath))?$)/

/**
 * An organization file without the fields that are wrong, so that its logo, pictures and prices are checked together
 * with them. Undefined where one of those fields decides what the rest means.
 */
export function withoutErrors(value: unknown, { issues }: z.core.$ZodError): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const rest = structuredClone(value) as Record<string, unknown>
  for (const issue of issues) {
    const [field = '', part] = issue.path.map(String)
    if (issue.code === 'unrecognized_keys' && issue.path.length < 2) {
      const holder = field === '' ? rest : (rest[field] as Record<string, unknown>)
      for (const key of issue.keys) delete holder[key]
    } else if (MEANINGFUL.test(issue.path.join('.'))) {
      return undefined
    } else if (field === 'companyInfo') {
      delete (rest[field] as Record<string, unknown>)[part ?? '']
    } else if (field === 'products' || field === 'pricing') {
      // Prices name products.
      delete rest['products']
      delete rest['pricing']
    } else {
      delete rest[field]
    }
  }
  return rest
}
