import type { Brands, Organizations } from './brands.ts'

/**
 * Brands that can be replaced while the server runs. Every part reads the present ones through `brands`, so it must not
 * hold an organization longer than one request.
 */
export function currentBrands(first: Brands): {
  readonly brands: Brands
  readonly replace: (brands: Brands) => void
} {
  let current = first
  const organizations: Organizations = {
    get all() {
      return current.organizations.all
    },
    get defaultOrganization() {
      return current.organizations.defaultOrganization
    },
    withCode: (orgCode) => current.organizations.withCode(orgCode),
    resolve: (page) => current.organizations.resolve(page),
    flags: (orgCode) => current.organizations.flags(orgCode),
  }
  return {
    brands: {
      organizations,
      appearanceOf: (organization) => current.appearanceOf(organization),
      get pictures() {
        return current.pictures
      },
      get styleSheets() {
        return current.styleSheets
      },
    },
    replace(brands) {
      current = brands
    },
  }
}
