import type { OrganizationInfo, PageLabel } from '@portico/contracts/organization'
import type { Organization } from '@portico/contracts/organization-file'

/** Organisation info as pages receive it (§3). */
export function organizationInfo(organization: Organization, origin: string): OrganizationInfo {
  const { partner } = organization
  return {
    baseUrl: organization.baseUrl ?? origin,
    canonicalOrgCode: organization.canonicalOrgCode,
    orgBrand: organization.orgBrand,
    orgCode: organization.orgCode,
    orgMetaData: {
      companyInfo: organization.companyInfo,
      products: organization.products,
      ...(partner === undefined ? {} : { partner }),
    },
    orgPricingData: organization.pricing,
  }
}

/** A page's label, which its organisation carries. */
export function pageLabel({ label }: Organization): PageLabel | null {
  return label ?? null
}
