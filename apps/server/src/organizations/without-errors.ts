import type * as z from 'zod/mini'

/** Fields that determine how the rest looks or what it refers to. */
const DETERMINING_FIELDS =
  /^(?:(?:orgCode|canonicalOrgCode|extends|orgBrand|brandColor|darkBrandColor|partner|styleSheetPath)(?:\.|$)|companyInfo(?:\.(?:name|logoPath|darkLogoPath))?$)/

/**
 * Removes the invalid fields from an organization file so that the remaining ones are still checked. Returns undefined
 * if an invalid field determines the meaning of the rest.
 */
export function withoutErrors(value: unknown, { issues }: z.core.$ZodError): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const rest = structuredClone(value) as Record<string, unknown>
  for (const issue of issues) {
    const [field = '', part] = issue.path.map(String)
    if (issue.code === 'unrecognized_keys' && issue.path.length < 2) {
      const holder = field === '' ? rest : (rest[field] as Record<string, unknown>)
      for (const key of issue.keys) delete holder[key]
    } else if (DETERMINING_FIELDS.test(issue.path.join('.'))) {
      return undefined
    } else if (field === 'companyInfo') {
      delete (rest[field] as Record<string, unknown>)[part ?? '']
    } else if (field === 'products' || field === 'pricing') {
      // Prices refer to products.
      delete rest['products']
      delete rest['pricing']
    } else {
      delete rest[field]
    }
  }
  return rest
}
