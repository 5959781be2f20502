import type { PageData } from '@portico/contracts/page-data'
import { createContext, use } from 'react'

/** The lender's names on the page. Passwords must not consist of them. */
export const CompanyNamesContext = createContext<readonly string[]>([])

export function companyNames({ organization }: PageData): readonly string[] {
  const { name, legalName } = organization.orgMetaData.companyInfo
  return [name, legalName]
}

export function useCompanyNames(): readonly string[] {
  return use(CompanyNamesContext)
}
