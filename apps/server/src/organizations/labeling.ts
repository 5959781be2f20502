import { Label } from '@portico/contracts/organization'
import type { LabelFile, Organization } from '@portico/contracts/organization-file'
import { labelOver } from '@portico/rules/organization-inheritance'
import { faultsOf, type ReadFile } from '../data-files/data-files.ts'
import type { DeclaredNames } from './declared.ts'
import { finishedOrganization } from './inherit-all.ts'

/** Gives an organization with a label over it; each pair is merged once, where it is first asked for. */
export function labeling(
  files: readonly ReadFile<LabelFile>[],
  {
    standard,
    supportPhone,
    declared,
  }: {
    readonly standard: Organization
    readonly supportPhone: string
    /** Labels of all files, of those with an error too. */
    readonly declared: DeclaredNames
  },
  faults: string[],
): (organization: Organization, label: Label) => Organization {
  const byLabel = new Map(files.map((file) => [file.content.label, file]))
  // What a label lacks over one organization it lacks over each.
  for (const label of Label.options) {
    const file = byLabel.get(label)
    const parsed = file && finishedOrganization(labelOver(standard, file.content), supportPhone)
    if (!declared.has(label)) faults.push(`labels: no file has the label ${label}`)
    else if (file !== undefined && parsed?.error) {
      faults.push(...faultsOf(file.name, parsed.error))
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
    const { data, error } = finishedOrganization(
      labelOver(organization, file.content),
      supportPhone,
    )
    if (!data) throw error
    own.set(label, data)
    return data
  }
}
