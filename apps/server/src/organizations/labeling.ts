import { Label } from '@portico/contracts/organization'
import type { LabelFile, Organization } from '@portico/contracts/organization-file'
import { labelOver } from '@portico/rules/organization-inheritance'
import { type ReadFile, schemaErrors } from '../data-files/data-files.ts'
import type { DeclaredNames } from './declared.ts'
import { validateOrganization } from './inherit-all.ts'

/** Returns a function that merges a label into an organization. Each pair is merged once, on first use. */
export function labeling(
  files: readonly ReadFile<LabelFile>[],
  {
    standard,
    supportPhone,
    declared,
  }: {
    readonly standard: Organization
    readonly supportPhone: string
    /** The labels of all files, including invalid ones. */
    readonly declared: DeclaredNames
  },
  errors: string[],
): (organization: Organization, label: Label) => Organization {
  const byLabel = new Map(files.map((file) => [file.content.label, file]))
  // A field that a label lacks for the default organization is missing for every organization.
  for (const label of Label.options) {
    const file = byLabel.get(label)
    const parsed = file && validateOrganization(labelOver(standard, file.content), supportPhone)
    if (!declared.has(label)) errors.push(`labels: no file has the label ${label}`)
    else if (file !== undefined && parsed?.error) {
      errors.push(...schemaErrors(file.name, parsed.error))
      byLabel.delete(label)
    }
  }
  const merged = new WeakMap<Organization, Map<Label, Organization>>()
  return (organization, label) => {
    const file = byLabel.get(label)
    if (!file) return organization
    const own = merged.get(organization) ?? new Map<Label, Organization>()
    merged.set(organization, own)
    const known = own.get(label)
    if (known) return known
    const { data, error } = validateOrganization(
      labelOver(organization, file.content),
      supportPhone,
    )
    if (!data) throw error
    own.set(label, data)
    return data
  }
}
